//! Strategies by which a search selects actions.

use chase_engine::search::{DirichletNoise, GumbelParams, PuctParams, SearchParams, Strategy};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use super::arguments::{Count, value_error};

/// PUCT: the action with the greatest `Q + c_puct * P * sqrt(N) / (1 + n)`.
#[pyclass(frozen, module = "chase_rl")]
pub struct Puct(PuctParams);

#[pymethods]
impl Puct {
    #[new]
    #[pyo3(signature = (*, c_puct=1.25, fpu_reduction=0.2, policy_temperature=1.0, root_policy_temperature=1.0,
                        noise_fraction=0.0, noise_concentration=10.8, leaves=Count::new(1)),
       text_signature = "(*, c_puct=1.25, fpu_reduction=0.2, policy_temperature=1.0, root_policy_temperature=1.0, noise_fraction=0.0, noise_concentration=10.8, leaves=1)")]
    fn new(
        c_puct: f32,
        fpu_reduction: f32,
        policy_temperature: f32,
        root_policy_temperature: f32,
        noise_fraction: f32,
        noise_concentration: f32,
        leaves: Count,
    ) -> PyResult<Self> {
        let noise = DirichletNoise {
            total_concentration: noise_concentration,
            fraction: noise_fraction,
        };
        let params = PuctParams {
            c_puct,
            fpu_reduction,
            policy_temperature,
            root_policy_temperature,
            noise: (noise_fraction != 0.0).then_some(noise),
            leaves: leaves.0 as u32,
        };
        check(Strategy::Puct(params))?;
        Ok(Self(params))
    }

    fn __repr__(&self) -> String {
        let PuctParams {
            c_puct,
            fpu_reduction,
            policy_temperature,
            root_policy_temperature,
            noise,
            leaves,
        } = self.0;
        let DirichletNoise {
            total_concentration,
            fraction,
        } = noise.unwrap_or(DirichletNoise {
            fraction: 0.0,
            ..DirichletNoise::default()
        });
        format!(
            "Puct(c_puct={c_puct}, fpu_reduction={fpu_reduction}, policy_temperature={policy_temperature}, \
             root_policy_temperature={root_policy_temperature}, noise_fraction={fraction}, \
             noise_concentration={total_concentration}, leaves={leaves})"
        )
    }
}

/// Gumbel AlphaZero (Danihelka et al., ICLR 2022).
#[pyclass(frozen, module = "chase_rl")]
pub struct Gumbel(GumbelParams);

#[pymethods]
impl Gumbel {
    #[new]
    #[pyo3(signature = (*, considered_actions=Count::new(16), c_visit=50.0, c_scale=1.0, policy_temperature=1.0, noise_scale=1.0),
       text_signature = "(*, considered_actions=16, c_visit=50.0, c_scale=1.0, policy_temperature=1.0, noise_scale=1.0)")]
    fn new(
        considered_actions: Count,
        c_visit: f32,
        c_scale: f32,
        policy_temperature: f32,
        noise_scale: f32,
    ) -> PyResult<Self> {
        let params = GumbelParams {
            considered_actions: considered_actions.0 as u32,
            c_visit,
            c_scale,
            policy_temperature,
            noise_scale,
        };
        check(Strategy::Gumbel(params))?;
        Ok(Self(params))
    }

    fn __repr__(&self) -> String {
        let GumbelParams {
            considered_actions,
            c_visit,
            c_scale,
            policy_temperature,
            noise_scale,
        } = self.0;
        format!(
            "Gumbel(considered_actions={considered_actions}, c_visit={c_visit}, c_scale={c_scale}, \
             policy_temperature={policy_temperature}, noise_scale={noise_scale})"
        )
    }
}

fn check(strategy: Strategy) -> PyResult<()> {
    let params = SearchParams {
        strategy,
        ..SearchParams::default()
    };
    params.validate().map_err(|error| value_error(error.to_string()))
}

/// `None`, `"puct"`, `"gumbel"`, or an object of either.
pub fn params(strategy: Option<&Bound<'_, PyAny>>, simulations: Count, skip_forced: bool) -> PyResult<SearchParams> {
    let strategy = match strategy {
        None => Strategy::Puct(PuctParams::default()),
        Some(object) => {
            if let Ok(puct) = object.cast::<Puct>() {
                Strategy::Puct(puct.get().0)
            } else if let Ok(gumbel) = object.cast::<Gumbel>() {
                Strategy::Gumbel(gumbel.get().0)
            } else {
                match object.extract::<String>().as_deref() {
                    Ok("puct") => Strategy::Puct(PuctParams::default()),
                    Ok("gumbel") => Strategy::Gumbel(GumbelParams::default()),
                    Ok(name) => {
                        return Err(PyValueError::new_err(format!(
                            "strategy is '{name}', expected 'puct', 'gumbel', Puct(...) or Gumbel(...)"
                        )));
                    }
                    Err(_) => {
                        return Err(PyTypeError::new_err(format!(
                            "strategy is a {}, expected 'puct', 'gumbel', Puct(...) or Gumbel(...)",
                            object.get_type().name()?
                        )));
                    }
                }
            }
        }
    };
    Ok(SearchParams {
        simulations: simulations.0 as u32,
        strategy,
        skip_forced,
    })
}
