//! Numbers on their way to a device and back.
//!
//! A GPU reads and writes pinned memory on its own, while the thread continues; for other memory the thread waits. Pinned
//! memory is used again and again here: large allocations are new pages each time, which cost more than the copy.

use ndarray::ArrayView4;
use tch::{Device, Kind, TchError, Tensor};

/// Memory for numbers on their way: pinned if the device is a GPU, and then used again.
#[derive(Debug, Default)]
pub(crate) struct Room {
    /// `[at least B, ..]`
    pinned: Option<Tensor>,
}

impl Room {
    /// Numbers `[B, ..]` of any value, which the next call may overwrite.
    fn of(&mut self, size: &[i64], kind: Kind, device: Device) -> Result<Tensor, TchError> {
        if !device.is_cuda() {
            return Tensor::f_empty(size, (kind, Device::Cpu));
        }
        let fits =
            |pinned: &Tensor| pinned.size()[0] >= size[0] && pinned.size()[1..] == size[1..] && pinned.kind() == kind;
        let pinned = match self.pinned.take() {
            Some(pinned) if fits(&pinned) => pinned,
            // Same as `f_pin_memory`, which prints a warning about its own parameter at every call.
            _ => Tensor::f_zeros(size, (kind, Device::Cpu))?.f_internal_pin_memory(device)?,
        };
        self.pinned.insert(pinned).f_narrow(0, 0, size[0])
    }

    /// Planes, `[B, C, H, W]`, in another element type.
    #[allow(unsafe_code, reason = "tch copies from a slice only into a tensor of its own")]
    pub(crate) fn planes(
        &mut self,
        planes: ArrayView4<'_, f32>,
        kind: Kind,
        device: Device,
    ) -> Result<Tensor, TchError> {
        let planes = planes.as_standard_layout();
        let size: Vec<i64> = planes.shape().iter().map(|&size| size as i64).collect();
        let strides: Vec<i64> = planes.strides().iter().map(|&stride| stride as i64).collect();
        let mut room = self.of(&size, kind, device)?;
        // SAFETY: the numbers outlive the tensor, which is read here only, and are laid out as it says.
        let borrowed =
            unsafe { Tensor::f_from_blob(planes.as_ptr().cast(), &size, &strides, Kind::Float, Device::Cpu)? };
        room.f_copy_(&borrowed)?;
        Ok(room)
    }

    /// Indices, `[N]`.
    pub(crate) fn indices(&mut self, indices: &[i64], device: Device) -> Result<Tensor, TchError> {
        let indices = Tensor::f_from_slice(indices)?;
        if !device.is_cuda() {
            return Ok(indices);
        }
        let mut room = self.of(&indices.size(), Kind::Int64, device)?;
        room.f_copy_(&indices)?;
        Ok(room)
    }

    /// Copies numbers, `[N]`, from a device, once they are computed.
    ///
    /// For memory that is not pinned the driver would wait in the middle of the copy, and might make other threads that
    /// use the GPU wait with it.
    pub(crate) fn receive(&mut self, numbers: &Tensor, into: &mut [f32]) -> Result<(), TchError> {
        let count = into.len();
        if !numbers.device().is_cuda() {
            return numbers.f_copy_data(into, count);
        }
        let mut room = self.of(&[count as i64], Kind::Float, numbers.device())?;
        room.f_copy_(&numbers.f_narrow(0, 0, count as i64)?)?;
        room.f_copy_data(into, count)
    }
}

/// Copies numbers from a [`Room`] to a device, possibly asynchronously: computations on them will wait.
pub(crate) fn sent(numbers: &Tensor, device: Device) -> Result<Tensor, TchError> {
    match device {
        Device::Cpu => Ok(numbers.shallow_clone()),
        Device::Cuda(_) => numbers.f_to_device_(device, numbers.kind(), true, false),
        _ => numbers.f_to_device(device),
    }
}
