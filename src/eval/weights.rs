//! Files of learned weights: a header that says what they are and where they come from, then the numbers.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `TENBIN` and two zeros |
//! | 12 | kind in ASCII, filled with zeros |
//! | 4 | version of that kind's data |
//! | 16 | four dimensions, their meaning depending on the kind |
//! | 4 | length of the provenance |
//! | 4 | length of the data |
//! | 4 | CRC-32 of everything else in the file |
//! | | provenance in UTF-8, then the data; all numbers little-endian |

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use thiserror::Error;

const MAGIC: [u8; 8] = *b"TENBIN\0\0";
const KIND_LENGTH: usize = 12;
const HEADER: usize = 8 + KIND_LENGTH + 4 + 16 + 4 + 4 + 4;

/// What a reader expects, and what a writer writes, of the shape of the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// At most twelve ASCII characters.
    pub kind: &'static str,
    /// Raised when the meaning of the data changes.
    pub version: u32,
    /// Sizes that must agree.
    pub dimensions: [u32; 4],
}

/// Why a file of weights was refused.
#[derive(Debug, Error)]
pub enum WeightsError {
    /// It could not be read or written.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// It is something else.
    #[error("not a file of Tenbin weights")]
    Foreign,
    /// It holds weights of another kind.
    #[error("weights of kind {found}, not {expected}")]
    Kind {
        /// In the file.
        found: String,
        /// Wanted.
        expected: &'static str,
    },
    /// It was written by a program that means something else by the numbers.
    #[error("version {found} of the weights, but this program reads {expected}")]
    Version {
        /// In the file.
        found: u32,
        /// Wanted.
        expected: u32,
    },
    /// A network of another size.
    #[error("dimensions {found:?} instead of {expected:?}")]
    Dimensions {
        /// In the file.
        found: [u32; 4],
        /// Wanted.
        expected: [u32; 4],
    },
    /// Its end is missing, or something follows it.
    #[error("{found} bytes instead of {expected}: truncated or damaged")]
    Length {
        /// In the file.
        found: usize,
        /// By the header.
        expected: usize,
    },
    /// A bit is wrong somewhere.
    #[error("checksum does not match: damaged")]
    Checksum,
    /// The numbers are not what this kind can hold.
    #[error("{0}")]
    Data(&'static str),
}

/// The parts of a file that was accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contents<'a> {
    /// How and from what the weights were learned.
    pub provenance: &'a str,
    /// The numbers.
    pub data: &'a [u8],
}

/// The bytes of a file with these weights.
pub fn encode(shape: Shape, provenance: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER + provenance.len() + data.len());
    bytes.extend(MAGIC);
    let mut kind = [0; KIND_LENGTH];
    kind[..shape.kind.len()].copy_from_slice(shape.kind.as_bytes());
    bytes.extend(kind);
    bytes.extend(shape.version.to_le_bytes());
    shape.dimensions.iter().for_each(|dimension| bytes.extend(dimension.to_le_bytes()));
    bytes.extend((provenance.len() as u32).to_le_bytes());
    bytes.extend((data.len() as u32).to_le_bytes());
    let mut checksum = crc32fast::Hasher::new();
    checksum.update(&bytes);
    checksum.update(provenance.as_bytes());
    checksum.update(data);
    bytes.extend(checksum.finalize().to_le_bytes());
    bytes.extend(provenance.as_bytes());
    bytes.extend(data);
    bytes
}

/// Takes a file apart and checks everything about it but the numbers themselves.
pub fn decode(bytes: &[u8], shape: Shape) -> Result<Contents<'_>, WeightsError> {
    let foreign = || WeightsError::Foreign;
    let (header, rest) = bytes.split_at_checked(HEADER).ok_or_else(foreign)?;
    let (magic, fields) = header.split_at(MAGIC.len());
    if magic != MAGIC {
        return Err(foreign());
    }
    let (kind, fields) = fields.split_at(KIND_LENGTH);
    let kind = String::from_utf8_lossy(kind).trim_end_matches('\0').to_owned();
    if kind != shape.kind {
        let found = crate::shogi::notation::quote(&kind);
        return Err(WeightsError::Kind { found, expected: shape.kind });
    }
    let mut numbers = fields.as_chunks::<4>().0.iter().map(|&bytes| u32::from_le_bytes(bytes));
    let mut next = || numbers.next().unwrap_or_default();
    let version = next();
    if version != shape.version {
        return Err(WeightsError::Version { found: version, expected: shape.version });
    }
    let dimensions = [next(), next(), next(), next()];
    if dimensions != shape.dimensions {
        return Err(WeightsError::Dimensions { found: dimensions, expected: shape.dimensions });
    }
    let (provenance, data) = (next() as usize, next() as usize);
    if rest.len() != provenance + data {
        return Err(WeightsError::Length { found: bytes.len(), expected: HEADER + provenance + data });
    }
    let mut checksum = crc32fast::Hasher::new();
    checksum.update(&header[..HEADER - 4]);
    checksum.update(rest);
    if checksum.finalize() != next() {
        return Err(WeightsError::Checksum);
    }
    let (provenance, data) = rest.split_at(provenance);
    let provenance = std::str::from_utf8(provenance).map_err(|_| foreign())?;
    Ok(Contents { provenance, data })
}

/// Writes a file so that at every moment either the old one or the whole new one is there. What could not be written
/// leaves nothing behind.
pub fn write_file(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    let beside = Path::new(&name);
    let mut file = std::fs::File::create(beside)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    drop(file);
    let replaced = written.and_then(|()| std::fs::rename(beside, path));
    if replaced.is_err() {
        let _ = std::fs::remove_file(beside);
    }
    replaced
}

/// What the file `name` of a folder holds, or what is embedded and why; an empty folder's name means the embedded.
pub fn from_folder<T>(
    folder: &Path,
    name: &str,
    read: impl Fn(&[u8]) -> Result<T, WeightsError>,
    embedded: impl Fn() -> Arc<T>,
) -> (Arc<T>, Option<String>) {
    if folder.as_os_str().is_empty() {
        return (embedded(), None);
    }
    let path = folder.join(name);
    match std::fs::read(&path).map_err(WeightsError::from).and_then(|bytes| read(&bytes)) {
        Ok(weights) => (Arc::new(weights), None),
        Err(error) => {
            let note = format!("EvalDir: {}: {error}; using the embedded weights", path.display());
            (embedded(), Some(note))
        }
    }
}
