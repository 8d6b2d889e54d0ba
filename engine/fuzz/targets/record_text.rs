//! Any text is records that are read as they are written, then an error that points into the text or the end.

#![no_main]

use chase_engine::chase::notation::Record;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for record in Record::read_all(text) {
        match record {
            Ok(record) => {
                let written = record.to_string();
                let again: Record = written.parse().unwrap_or_else(|error| panic!("{error}"));
                assert_eq!(again.to_string(), written);
                assert_eq!(
                    (again.position(), again.termination()),
                    (record.position(), record.termination())
                );
            }
            Err(error) => {
                assert!(text.get(error.span.clone()).is_some(), "{error:?}");
                assert!(error.line() > 0 && !error.to_string().is_empty());
            }
        }
    }
});
