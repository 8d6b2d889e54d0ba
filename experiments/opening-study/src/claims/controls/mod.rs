//! Controls: worlds whose truth is known, taken the whole way from games to verdicts. What is true must be found, what is false must not.

mod chase;
mod connect_four;
