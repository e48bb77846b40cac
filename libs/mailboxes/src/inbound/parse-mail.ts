import { createHash } from 'node:crypto';
import { withoutTokens } from '#libs/entities';
import {
  type Header,
  addressesIn,
  charsetIn,
  decodeWords,
  partsOfMail,
  readMime,
  type MailRecipients,
  recipientsIn,
  type MailAddress,
} from '#libs/mail';
import { mailIdsIn } from '../mail-ids.js';
import { type MailFile, filesOf, longTextsOf, textsOf, withoutTokensIn } from './mail-parts.js';
import { type ClaimedVerdicts, claimedVerdicts } from './sender-verdicts.js';

/** No real mail exceeds these. RFC 5321 and RFC 5322 set none. */
const LIMITS = { depth: 50, parts: 1000, headerBytes: 256 * 1024 };
const MAX_RECIPIENTS = 200;
const MAX_ANCESTORS = 50;

/** All of it is a claim of the sender. Texts and files have no tokens of signed addresses; the addresses still do. */
export interface ParsedMail extends MailRecipients {
  readonly from: MailAddress | null;
  /** False for several authors. Programs disagree on which counts. */
  readonly hasOneAuthor: boolean;
  /** DKIM signs To and Cc, and servers on the way do not write them. */
  readonly addressed: readonly string[];
  readonly recipients: readonly string[];
  readonly subject: string;
  readonly mailId: string | null;
  /** Ids of the emails that it replies to, nearest first. */
  readonly ancestors: readonly string[];
  readonly automatic: boolean;
  readonly authentication: readonly ClaimedVerdicts[];
  readonly contentHash: string;
  readonly text: string;
  readonly html: string;
  readonly files: readonly MailFile[];
  /** `text` or `html` has only their beginning. */
  readonly longTexts: readonly MailFile[];
}

/** Sender and id are known. */
export type IdentifiedMail = ParsedMail & {
  readonly from: MailAddress;
  readonly mailId: string;
  /** The ticket that a signed address names. */
  readonly ticketNumber: number | null;
};

export function parseMail(raw: Uint8Array, envelopeFrom: string | null): ParsedMail {
  const mail = readMime(raw, LIMITS);
  const parts = partsOfMail(mail);
  // An unencoded header is in the charset of the text.
  const header = mail.header.in(charsetIn(mail));
  const files = filesOf(parts.files);
  const { text, html, longParts } = textsOf(parts);
  const content = { subject: withoutNul(decodeWords(header.first('subject') ?? '')), text, html };
  const longTexts = longTextsOf(longParts);
  return {
    from: senderOf(header),
    hasOneAuthor: hasOneAuthor(header),
    ...recipientsIn(header),
    addressed: addressedIn(header),
    recipients: recipientsOf(header),
    mailId: idsIn(header, 'message-id')[0] ?? null,
    ancestors: ancestorsOf(header),
    automatic: isAutomatic(header, envelopeFrom),
    authentication: claimedVerdicts(header.fieldsOf('authentication-results', 'received')),
    contentHash: hashOf([header.all('from'), header.first('date'), content], [...longTexts, ...files]),
    subject: withoutTokens(content.subject),
    text: withoutTokens(text),
    html: withoutTokens(html),
    files: files.map(withoutTokensIn),
    longTexts: longTexts.map(withoutTokensIn),
  };
}

const withoutNul = (text: string): string => text.replaceAll('\0', '');

function senderOf(header: Header): MailAddress | null {
  const [first] = ['from', 'sender'].flatMap((name) => header.all(name)).flatMap((value) => addressesIn(value));
  return first ? { address: first.address.toLowerCase(), name: withoutNul(first.name) } : null;
}

function hasOneAuthor(header: Header): boolean {
  const [line, ...others] = header.all('from');
  return line !== undefined && others.length === 0 && addressesIn(line).length === 1;
}

/** Skips a field that occurs twice: one may have been added above what was signed. */
const addressedIn = (header: Header): string[] =>
  ['to', 'cc']
    .map((name) => header.all(name))
    .flatMap(([line, ...others]) => (line === undefined || others.length > 0 ? [] : addressesIn(line)))
    .slice(0, MAX_RECIPIENTS)
    .map(({ address }) => address.toLowerCase());

/** Some are written by servers on the way. */
const RECIPIENTS = ['to', 'cc', 'bcc', 'delivered-to', 'x-original-to', 'x-envelope-to', 'x-forwarded-to'];

function recipientsOf(header: Header): string[] {
  const all = RECIPIENTS.flatMap((name) => header.all(name)).flatMap((value) => addressesIn(value));
  return [...new Set(all.slice(0, MAX_RECIPIENTS).map(({ address }) => address.toLowerCase()))];
}

function ancestorsOf(header: Header): string[] {
  const nearestFirst = [...idsIn(header, 'in-reply-to'), ...idsIn(header, 'references').toReversed()];
  return [...new Set(nearestFirst)].slice(0, MAX_ANCESTORS);
}

/** Some servers encode long ids as words. */
const idsIn = (header: Header, name: string): string[] => mailIdsIn(decodeWords(header.all(name).join(' ')));

/** Independent of line endings and of fields that servers add. */
function hashOf(content: unknown, files: readonly MailFile[]): string {
  const hash = createHash('sha256').update(JSON.stringify(content));
  for (const file of files) {
    const { name, type, hasLines } = file;
    const bytes = hasLines ? withoutCarriageReturns(file.content) : file.content;
    hash.update(JSON.stringify([name, type, bytes.length])).update(bytes);
  }
  return hash.digest('hex');
}

const CARRIAGE_RETURN = 0x0d;

/** `filter` takes seconds and eight bytes of heap per byte for 50 MB. */
function withoutCarriageReturns(bytes: Uint8Array): Uint8Array {
  const kept = new Uint8Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] !== CARRIAGE_RETURN) kept[length++] = bytes[at]!;
  return kept.subarray(0, length);
}

const BULK = new Set(['bulk', 'junk', 'list', 'auto_reply', 'auto-reply']);

/** RFC 3834 and older practice. Replying to a program could start an endless loop. */
export function isAutomatic(header: Pick<Header, 'first'>, envelopeFrom: string | null): boolean {
  const submitted = valueOf(header.first('auto-submitted'));
  if (submitted !== '' && submitted !== 'no') return true;
  if (BULK.has(valueOf(header.first('precedence')))) return true;
  if (['list-id', 'x-auto-response-suppress'].some((name) => header.first(name) !== undefined)) return true;
  return envelopeFrom === '' || header.first('return-path')?.trim() === '<>';
}

const valueOf = (header: string | undefined): string => (header ?? '').split(/[;\s(]/, 1)[0]!.toLowerCase();
