import { decodeCharset } from './charsets/decode-charset.js';
import { Header } from './header.js';
import type { MimePart } from './mime-part.js';
import { takeUuencoded } from './uuencode.js';

/** Once a mail has this many files, uuencoded ones stay in its text. A person attaches fewer. */
const MAX_FILES = 100;

/** Moves the uuencoded files out of the text to the other files. */
export function withoutUuencoded(part: MimePart, others: MimePart[]): MimePart {
  const { text, files } = takeUuencoded(part.content, Math.max(0, MAX_FILES - others.length));
  if (files.length === 0) return part;
  for (const { name, content } of files)
    others.push({ ...FILE, name: decodeCharset(name, part.parameters.get('charset')), content });
  return { ...part, content: text };
}

const FILE: Omit<MimePart, 'name' | 'content'> = {
  header: Header.read(Buffer.alloc(0)).header,
  type: 'application/octet-stream',
  parameters: new Map(),
  isAttachment: true,
  contentId: null,
  parts: [],
  isBinarySafe: true,
};
