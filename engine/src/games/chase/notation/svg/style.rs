//! Colours and the style sheet.

use std::fmt::Write as _;

use super::Theme;

/// The rules of every theme. All selectors begin with the class of the theme, so that pictures with different themes
/// can stand in one HTML page, and so that a page can override them.
const SHAPES: &str = "\
text{font-family:system-ui,'DejaVu Sans',sans-serif;text-anchor:middle}\
.edge{font-size:11px}.name{font-size:6.5px}.say{font-size:11px;text-anchor:start}.tag{font-size:8.5px;font-weight:600}\
.die path{stroke-width:5;stroke-linecap:round}.ghost{opacity:.4}\
.shaft{fill:none;stroke-linecap:butt;stroke-linejoin:round}.arrow{opacity:.85}.ring{fill:none;stroke-width:2.5}";

/// Class and declarations, in light and in dark.
///
/// White and Black differ in lightness alone, so that neither print nor colour-blind eyes lose them; the blue and the
/// vermilion of attacks, the amber of the last action and the green of arrows are Okabe and Ito's, told apart by all.
const COLORS: [(&str, [&str; 2]); 18] = [
    (".paper", ["fill:#fff", "fill:#15181c"]),
    (".c0", ["fill:#f7f2e8;stroke:#c3b698", "fill:#2b3037;stroke:#4a525d"]),
    (".c1", ["fill:#f1e9da;stroke:#c3b698", "fill:#30363e;stroke:#4a525d"]),
    (".c2", ["fill:#eadfca;stroke:#c3b698", "fill:#363d46;stroke:#4a525d"]),
    (
        ".chamber",
        ["fill:#3c3a37;stroke:#3c3a37", "fill:#090a0c;stroke:#090a0c"],
    ),
    (".ring", ["stroke:#e69f00", "stroke:#e69f00"]),
    (".edge,.say", ["fill:#6d6450", "fill:#a3adb8"]),
    (".name", ["fill:#a3977a", "fill:#7b8591"]),
    (
        ".white rect",
        ["fill:#fffefa;stroke:#3f3a31", "fill:#f4f0e6;stroke:#f4f0e6"],
    ),
    (".white path", ["stroke:#26231d", "stroke:#17191c"]),
    (
        ".black rect",
        ["fill:#2b2a2e;stroke:#121113", "fill:#0e0f11;stroke:#98a2ad"],
    ),
    (".black path", ["stroke:#f7f3e8", "stroke:#efeadd"]),
    (
        ".last",
        ["fill:#e69f00;fill-opacity:.42", "fill:#e69f00;fill-opacity:.4"],
    ),
    (".way", ["fill:#a86f00;stroke:#a86f00", "fill:#f2b632;stroke:#f2b632"]),
    (".by-white", ["fill:#0072b2", "fill:#56b4e9"]),
    (".by-black", ["fill:#d55e00", "fill:#f0803c"]),
    (".plain", ["fill:#007a5a;stroke:#007a5a", "fill:#1fc79a;stroke:#1fc79a"]),
    (".plate", ["fill:#fff", "fill:#fff"]),
];

/// The `style` element, if the picture has colours of its own.
pub(super) fn element(theme: Theme) -> String {
    match theme {
        Theme::Page => String::new(),
        _ => format!("<style>{}</style>", sheet(theme)),
    }
}

fn sheet(theme: Theme) -> String {
    let mut css = String::new();
    rules(&mut css, theme, SHAPES.split_inclusive('}'));
    let colors = |side: usize| COLORS.map(|(selector, both)| format!("{selector}{{{}}}", both[side]));
    let [light, dark] = [colors(0), colors(1)];
    match theme {
        Theme::Light => rules(&mut css, theme, light.iter().map(String::as_str)),
        Theme::Dark => rules(&mut css, theme, dark.iter().map(String::as_str)),
        Theme::Auto => {
            rules(&mut css, theme, light.iter().map(String::as_str));
            css.push_str("@media (prefers-color-scheme:dark){");
            rules(&mut css, theme, dark.iter().map(String::as_str));
            css.push('}');
        }
        Theme::Page => {}
    }
    css
}

fn rules<'a>(css: &mut String, theme: Theme, rules: impl Iterator<Item = &'a str>) {
    let scope = format!(".chase-{}", theme.name());
    for rule in rules {
        let (selectors, body) = rule.split_once('{').expect("a rule has a body");
        let scoped: Vec<String> = selectors
            .split(',')
            .map(|selector| format!("{scope} {selector}"))
            .collect();
        let _ = write!(css, "{}{{{body}", scoped.join(","));
    }
}

/// Colours of viridis at equal distances (Smith and van der Walt, 2015; public domain): lightness grows with the value
/// for every kind of colour vision and on paper.
const VIRIDIS: [[u8; 3]; 9] = [
    [0x44, 0x01, 0x54],
    [0x47, 0x2d, 0x7b],
    [0x3b, 0x52, 0x8b],
    [0x2c, 0x72, 0x8e],
    [0x21, 0x91, 0x8c],
    [0x28, 0xae, 0x80],
    [0x5e, 0xc9, 0x62],
    [0xad, 0xdc, 0x30],
    [0xfd, 0xe7, 0x25],
];

fn mix(value: f64) -> [u8; 3] {
    // What is not a number counts as 0: a picture shows it, and cannot fail.
    let value = if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) };
    let place = value * (VIRIDIS.len() - 1) as f64;
    let low = (place as usize).min(VIRIDIS.len() - 2);
    let part = place - low as f64;
    std::array::from_fn(|channel| {
        let [from, to] = [VIRIDIS[low], VIRIDIS[low + 1]].map(|color| f64::from(color[channel]));
        (from + part * (to - from)).round() as u8
    })
}

/// The colour of a value from 0 (dark violet) over ½ (teal) to 1 (yellow), as `#rrggbb`. Values beyond are clamped, and
/// NaN counts as 0.
pub fn value_color(value: f64) -> String {
    let [red, green, blue] = mix(value);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Black or white, whichever can be read on the colour of a value.
pub(super) fn text_color(value: f64) -> &'static str {
    let [red, green, blue] = mix(value).map(f64::from);
    // Luma as of ITU-R BT.601.
    if 0.299 * red + 0.587 * green + 0.114 * blue > 128.0 {
        "#000"
    } else {
        "#fff"
    }
}
