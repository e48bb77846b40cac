import { createHash } from 'node:crypto';
import PostalMime, { type Address, type Attachment, type Email, addressParser } from 'postal-mime';
import { isAutomatic } from './automatic-mail.js';
import { mailIdsIn } from './mail-ids.js';

/** RFC 5321 and RFC 5322 know none. More than these is no mail that a person or a program means. */
const LIMITS = { maxNestingDepth: 50, maxHeadersSize: 256 * 1024, forceRfc822Attachments: true };
const MOST_FILES = 1000;
const MOST_RECIPIENTS = 200;
const MOST_ANCESTORS = 50;

export interface MailFile {
  readonly name: string | null;
  readonly type: string;
  readonly content: Uint8Array;
}

export interface MailSender {
  readonly address: string;
  readonly name: string;
}

/** What a mail says. All of it is a claim. */
export interface ReadMail {
  readonly from: MailSender | null;
  /** Everybody to whom it says it went. */
  readonly recipients: readonly string[];
  readonly subject: string;
  readonly mailId: string | null;
  /** The mails that it answers, the nearest first. */
  readonly ancestors: readonly string[];
  readonly automatic: boolean;
  readonly contentHash: string;
  readonly text: string;
  readonly html: string;
  readonly files: readonly MailFile[];
}

/** A mail with a sender and an id, whatever it says itself. */
export type IdentifiedMail = ReadMail & {
  readonly from: MailSender;
  readonly mailId: string;
  /** Of the ticket that a signed address of ours names. */
  readonly ticketNumber: number | null;
};

/** Throws for what is no mail, or is larger in some way than a mail may be. */
export async function readMail(raw: Uint8Array, envelopeFrom: string | null): Promise<ReadMail> {
  const mail = await PostalMime.parse(raw, LIMITS);
  if (mail.attachments.length > MOST_FILES) throw new Error(`the mail has more than ${MOST_FILES} parts`);
  const files = mail.attachments.map((part) => fileOf(part));
  const content = { text: withoutNul(mail.text), html: withoutNul(mail.html) };
  return {
    from: senderOf(mail),
    recipients: recipientsOf(mail),
    subject: withoutNul(mail.subject),
    mailId: mailIdsIn(mail.messageId)[0] ?? null,
    ancestors: ancestorsOf(mail),
    automatic: isAutomatic((name) => headersOf(mail, name)[0], envelopeFrom),
    contentHash: hashOf([headersOf(mail, 'from'), mail.subject, mail.date, content], files),
    ...content,
    files,
  };
}

const withoutNul = (text: string | undefined): string => (text ?? '').replaceAll('\0', '');

const headersOf = ({ headers }: Email, name: string): string[] =>
  headers.filter(({ key }) => key === name).map(({ value }) => value);

function fileOf({ filename, mimeType, content }: Attachment): MailFile {
  const bytes = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content as ArrayBuffer);
  return { name: filename, type: mimeType, content: bytes };
}

function senderOf({ from, sender }: Email): MailSender | null {
  const [first] = [from, sender].flatMap((one) => (one ? mailboxesIn([one]) : []));
  return first ? { address: first.address.toLowerCase(), name: withoutNul(first.name) } : null;
}

/** A list of addresses has groups in it. What has no @ is none. */
const mailboxesIn = (addresses: readonly Address[] = []): { address: string; name: string }[] =>
  addresses
    .flatMap((one) => one.group ?? [one])
    .flatMap(({ address, name }) => (address.includes('@') ? [{ address, name }] : []));

/** Servers on the way write down for whom they took it. */
const DELIVERED_TO = ['delivered-to', 'x-original-to', 'x-envelope-to', 'x-forwarded-to'];

function recipientsOf(mail: Email): string[] {
  const delivered = DELIVERED_TO.flatMap((name) => headersOf(mail, name)).flatMap((value) => addressParser(value));
  const all = [mail.to, mail.cc, mail.bcc, delivered].flatMap((list) => mailboxesIn(list));
  return [...new Set(all.slice(0, MOST_RECIPIENTS).map(({ address }) => address.toLowerCase()))];
}

function ancestorsOf({ inReplyTo, references }: Email): string[] {
  const nearestFirst = [...mailIdsIn(inReplyTo), ...mailIdsIn(references).toReversed()];
  return [...new Set(nearestFirst)].slice(0, MOST_ANCESTORS);
}

/** The same whatever servers did to it on the way, and for whichever line endings. */
function hashOf(said: unknown, files: readonly MailFile[]): string {
  const hash = createHash('sha256').update(JSON.stringify(said));
  for (const { name, type, content } of files)
    hash.update(JSON.stringify([name, type, content.length])).update(content);
  return hash.digest('hex');
}
