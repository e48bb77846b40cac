import { createHash } from 'node:crypto';
import { type Header, addressesIn, charsetIn, decodeWords, partsOfMail, readMime } from '#libs/mail';
import { type MailRecipients, recipientsIn, type MailSender } from '#libs/tickets';
import { isAutomatic } from './automatic-mail.js';
import { type MailFile, filesOf, longTextsOf } from './mail-files.js';
import { mailIdsIn } from './mail-ids.js';
import { type ClaimedVerdicts, claimedVerdicts } from './sender-verdicts.js';
import { textsOf } from './mail-texts.js';

/** RFC 5321 and RFC 5322 know none. More than these is no mail that a person or a program means. */
const LIMITS = { depth: 50, parts: 1000, headerBytes: 256 * 1024 };
const MAX_RECIPIENTS = 200;
const MAX_ANCESTORS = 50;

/** What a mail says. All of it is a claim. */
export interface ReadMail extends MailRecipients {
  readonly from: MailSender | null;
  /** One line of From that names one. Programs disagree on whom several name. */
  readonly hasOneAuthor: boolean;
  /** In To and Cc, which are signed with the mail and are not written by servers on the way. */
  readonly addressed: readonly string[];
  /** Everybody to whom it says it went. */
  readonly recipients: readonly string[];
  readonly subject: string;
  readonly mailId: string | null;
  /** The mails that it answers, the nearest first. */
  readonly ancestors: readonly string[];
  readonly automatic: boolean;
  readonly authentication: readonly ClaimedVerdicts[];
  readonly contentHash: string;
  readonly text: string;
  readonly html: string;
  readonly files: readonly MailFile[];
  /** The original texts of which `text` or `html` has only the beginning. */
  readonly longTexts: readonly MailFile[];
}

/** A mail with a sender and an id, whatever it says itself. */
export type IdentifiedMail = ReadMail & {
  readonly from: MailSender;
  readonly mailId: string;
  /** Of the ticket that a signed address of ours names. */
  readonly ticketNumber: number | null;
};

/** Throws for what is larger in some way than a mail may be. */
export function readMail(raw: Uint8Array, envelopeFrom: string | null): ReadMail {
  const mail = readMime(raw, LIMITS);
  const parts = partsOfMail(mail);
  // Programs that write headers without encoding them write them as they write their text.
  const header = mail.header.in(charsetIn(mail));
  const files = filesOf(parts.files);
  const { text, html, longParts } = textsOf(parts);
  const said = { subject: withoutNul(decodeWords(header.first('subject') ?? '')), text, html };
  const longTexts = longTextsOf(longParts);
  return {
    from: senderOf(header),
    hasOneAuthor: hasOneAuthor(header),
    ...recipientsIn(header),
    addressed: addressedIn(header),
    recipients: recipientsOf(header),
    mailId: idsIn(header, 'message-id')[0] ?? null,
    ancestors: ancestorsOf(header),
    automatic: isAutomatic((name) => header.first(name), envelopeFrom),
    authentication: claimedVerdicts(header.all('authentication-results')),
    contentHash: hashOf([header.all('from'), header.first('date'), said], [...longTexts, ...files]),
    ...said,
    files,
    longTexts,
  };
}

const withoutNul = (text: string): string => text.replaceAll('\0', '');

function senderOf(header: Header): MailSender | null {
  const [first] = ['from', 'sender'].flatMap((name) => header.all(name)).flatMap((value) => addressesIn(value));
  return first ? { address: first.address.toLowerCase(), name: withoutNul(first.name) } : null;
}

function hasOneAuthor(header: Header): boolean {
  const [line, ...others] = header.all('from');
  return line !== undefined && others.length === 0 && addressesIn(line).length === 1;
}

/** A second line may have been put above what was signed. */
const addressedIn = (header: Header): string[] =>
  ['to', 'cc']
    .map((name) => header.all(name))
    .flatMap(([line, ...others]) => (line === undefined || others.length > 0 ? [] : addressesIn(line)))
    .slice(0, MAX_RECIPIENTS)
    .map(({ address }) => address.toLowerCase());

/** Servers on the way write down for whom they took it. */
const RECIPIENTS = ['to', 'cc', 'bcc', 'delivered-to', 'x-original-to', 'x-envelope-to', 'x-forwarded-to'];

function recipientsOf(header: Header): string[] {
  const all = RECIPIENTS.flatMap((name) => header.all(name)).flatMap((value) => addressesIn(value));
  return [...new Set(all.slice(0, MAX_RECIPIENTS).map(({ address }) => address.toLowerCase()))];
}

function ancestorsOf(header: Header): string[] {
  const nearestFirst = [...idsIn(header, 'in-reply-to'), ...idsIn(header, 'references').toReversed()];
  return [...new Set(nearestFirst)].slice(0, MAX_ANCESTORS);
}

/** Some servers encode long ones as if they were words. */
const idsIn = (header: Header, name: string): string[] => mailIdsIn(decodeWords(header.all(name).join(' ')));

/** The same whatever servers did to it on the way, and for whichever line endings. */
function hashOf(said: unknown, files: readonly MailFile[]): string {
  const hash = createHash('sha256').update(JSON.stringify(said));
  for (const { name, type, content, hasLines } of files) {
    const bytes = hasLines ? withoutCarriageReturns(content) : content;
    hash.update(JSON.stringify([name, type, bytes.length])).update(bytes);
  }
  return hash.digest('hex');
}

const CARRIAGE_RETURN = 0x0d;

/** A loop, because `filter` takes seconds, and eight bytes of heap for each, in a file of 50 MB. */
function withoutCarriageReturns(bytes: Uint8Array): Uint8Array {
  const kept = new Uint8Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] !== CARRIAGE_RETURN) kept[length++] = bytes[at]!;
  return kept.subarray(0, length);
}
