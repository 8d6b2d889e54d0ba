//! Servers that ask who it is, and encrypt.

use std::fs;
use std::path::{Path, PathBuf};

use chase_cluster::{Address, ClusterError, Status};
use chase_fixtures::{assert_same_files, essence};
use nkeys::KeyPair;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa};

use crate::{train_at, with_workers_at};
use chase_fixtures::nats::{Nats, PASSWORD, SETTINGS};

/// The settings that the book recommends.
const TEMPLATE: &str = include_str!("../../../../configs/deploy/nats.conf");

/// Makes an authority, and with it a certificate for this machine's own address. The folder has `ca.pem`, `server.pem`
/// and `server.key` then.
fn certify(folder: &Path) {
    let key = || rcgen::KeyPair::generate().unwrap();
    let mut authority = CertificateParams::new(Vec::new()).unwrap();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = CertifiedIssuer::self_signed(authority, key()).unwrap();
    let own = key();
    let server = CertificateParams::new(["127.0.0.1".to_owned()]).unwrap();
    let server = server.signed_by(&own, &authority).unwrap();
    for (name, content) in [
        ("ca.pem", authority.pem()),
        ("server.pem", server.pem()),
        ("server.key", own.serialize_pem()),
    ] {
        fs::write(folder.join(name), content).unwrap();
    }
}

/// A file of this content.
fn file(folder: &Path, name: &str, content: &str) -> Option<PathBuf> {
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    Some(path)
}

fn refusal(address: &Address) -> String {
    let error = Status::of(address).unwrap_err();
    assert!(matches!(error, ClusterError::Server { .. }), "{error:?}");
    error.to_string()
}

#[test]
fn a_run_over_an_encrypted_connection_with_a_password_is_the_same() {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path();
    let (own, other) = (tempfile::tempdir().unwrap(), folder.join("other"));
    fs::create_dir(&other).unwrap();
    certify(own.path());
    certify(&other);
    fs::write(own.path().join(SETTINGS), TEMPLATE).unwrap();
    fs::copy(own.path().join("ca.pem"), folder.join("ca.pem")).unwrap();
    let nats = Nats::start_in(own);
    let address = Address {
        url: nats.url().replace("nats://", "tls://"),
        credentials: file(folder, "login.txt", &format!("chase:{PASSWORD}")),
        authority: Some(folder.join("ca.pem")),
    };
    let settings = ["limits.generations=1", "measurement.every=0"];
    let [alone, together] = ["alone", "together"].map(|name| folder.join(name));
    train_at(&alone, &settings, None);
    with_workers_at(&address, 1, || _ = train_at(&together, &settings, Some(&address)));
    assert_same_files(&essence(&together), &essence(&alone));

    for (credentials, authority, reason) in [
        (&address.credentials, &None, "certificate"),
        (&address.credentials, &Some(other.join("ca.pem")), "certificate"),
        (&None, &address.authority, "refuses"),
        (
            &file(folder, "wrong.txt", "chase:word-of-others"),
            &address.authority,
            "refuses",
        ),
    ] {
        let message = refusal(&Address {
            url: address.url.clone(),
            credentials: credentials.clone(),
            authority: authority.clone(),
        });
        assert!(message.contains(reason), "{credentials:?} {authority:?}: {message}");
        assert!(!message.contains("word-of"), "{message}");
    }
}

#[test]
fn a_token_and_the_seed_of_an_nkey_let_in_and_others_do_not() {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path();
    let [key, other] = [(); 2].map(|()| KeyPair::new_user());
    let seed = |key: &KeyPair| key.seed().unwrap();
    for (settings, right, wrong) in [
        (
            "authorization { token: \"a token\" }".to_owned(),
            "a token\n".to_owned(),
            "another".to_owned(),
        ),
        (
            format!("authorization {{ users: [ {{ nkey: {} }} ] }}", key.public_key()),
            seed(&key) + "\n",
            seed(&other),
        ),
    ] {
        let own = tempfile::tempdir().unwrap();
        fs::write(own.path().join(SETTINGS), settings).unwrap();
        let nats = Nats::start_in(own);
        let with = |credentials: Option<PathBuf>| Address {
            url: nats.url(),
            credentials,
            authority: None,
        };
        assert_eq!(Status::of(&with(file(folder, "right", &right))).unwrap().runs, []);
        let message = refusal(&with(file(folder, "wrong", &wrong)));
        assert!(
            message.contains("refuses") && !message.contains(wrong.as_str()),
            "{message}"
        );
        let message = refusal(&with(None));
        assert!(message.contains("--credentials"), "{message}");
    }
}

#[test]
fn a_server_that_does_not_encrypt_is_no_server_for_tls() {
    let nats = Nats::start();
    let message = refusal(&Address {
        url: nats.url().replace("nats://", "tls://"),
        ..Address::default()
    });
    assert!(message.contains("TLS"), "{message}");
}
