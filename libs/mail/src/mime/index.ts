export { type MailAddress, addressesIn } from './addresses.js';
export { type MailParts, partsOfMail } from './bodies.js';
export { decodeWords } from './encoded-words.js';
export { Header } from './header.js';
export { MimeLimitExceeded, type MimeLimits, type MimePart, charsetIn, readMime } from './mime-part.js';
export { textOfPart } from './text-of-part.js';
