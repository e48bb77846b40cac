import { ForgivingTextDecoder } from './forgiving-text-decoder.js';

// The parser takes no decoder of ours. In the thread that only reads mails, all that is decoded is a mail's.
globalThis.TextDecoder = ForgivingTextDecoder;
