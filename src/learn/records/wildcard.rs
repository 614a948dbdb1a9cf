//! Names with `*` and `?`, for systems whose shells leave them to the program.

use std::path::{Path, PathBuf};

/// The files that the names mean, in order. A name of a file that exists means itself; so does one without a match, and whoever
/// opens it will say that there is none.
pub fn expand(names: &[PathBuf]) -> Vec<PathBuf> {
    names.iter().flat_map(|name| matching(name).unwrap_or_else(|| vec![name.clone()])).collect()
}

/// The files that a pattern matches, if it is one and there are any.
fn matching(name: &Path) -> Option<Vec<PathBuf>> {
    let pattern = name.file_name()?.to_str()?;
    if !pattern.contains(['*', '?']) || name.exists() {
        return None;
    }
    let pattern: Vec<char> = pattern.chars().collect();
    let folder = name.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder.unwrap_or(Path::new(".")))
        .ok()?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|file| !file.starts_with('.') && fits(&pattern, &file.chars().collect::<Vec<_>>()))
        .map(|file| folder.map_or(PathBuf::from(&file), |folder| folder.join(&file)))
        .collect();
    found.sort_unstable();
    (!found.is_empty()).then_some(found)
}

/// Whether a name is what the pattern says: `*` stands for any letters, `?` for one.
fn fits(pattern: &[char], name: &[char]) -> bool {
    // Where the last star stands, and how much of the name it is taken to stand for so far.
    let mut star = None;
    let (mut at, mut letter) = (0, 0);
    while letter < name.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, letter));
                at += 1;
            }
            Some(&wanted) if wanted == '?' || wanted == name[letter] => {
                at += 1;
                letter += 1;
            }
            _ => {
                let Some((place, begun)) = star else { return false };
                star = Some((place, begun + 1));
                (at, letter) = (place + 1, begun + 1);
            }
        }
    }
    pattern[at..].iter().all(|&rest| rest == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(pattern: &str, name: &str) -> bool {
        fits(&pattern.chars().collect::<Vec<_>>(), &name.chars().collect::<Vec<_>>())
    }

    #[test]
    fn stars_stand_for_any_letters_and_question_marks_for_one() {
        for (pattern, name) in
            [("*.kif", "棋譜.kif"), ("*", "a"), ("a*b*c", "abbxbc"), ("?譜*", "棋譜1"), ("a*", "a")]
        {
            assert!(fit(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("*.kif", "a.kifu"), ("?", ""), ("a?", "a"), ("a*b", "abc"), ("", "a")] {
            assert!(!fit(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn names_mean_files() {
        let folder = std::env::temp_dir().join(format!("tenbin-wildcard-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        for name in ["b.kif", "a.kif", "c.csa"] {
            std::fs::write(folder.join(name), "").expect("a file");
        }
        assert_eq!(expand(&[folder.join("*.kif")]), [folder.join("a.kif"), folder.join("b.kif")]);
        for alone in ["c.csa", "none.kif", "none*"] {
            assert_eq!(expand(&[folder.join(alone)]), [folder.join(alone)]);
        }
        std::fs::remove_dir_all(&folder).expect("it is ours");
    }
}
