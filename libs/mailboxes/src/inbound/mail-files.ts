import { Header, type MimePart, decodeWords } from '#libs/mail';

export interface MailFile {
  readonly name: string | null;
  readonly type: string;
  readonly content: Uint8Array;
  /** By which the markup of the mail names it. */
  readonly contentId?: string | null;
  /** Servers on the way may have changed its line endings. */
  readonly hasLines?: boolean;
}

const MAX_NAME = 100;

/** The files of a mail, as they were before they were sent. */
export const filesOf = (parts: readonly MimePart[]): MailFile[] =>
  parts.map((part) => ({
    name: part.name ?? nameOfMail(part),
    type: part.type,
    content: new Uint8Array(part.content),
    contentId: part.contentId,
    hasLines: !part.isBinarySafe || /^(?:text|message)\//.test(part.type),
  }));

/** Texts that are too long for a message. */
export const longTextsOf = (parts: readonly MimePart[]): MailFile[] =>
  parts.map(({ type, content }) =>
    type === 'text/html'
      ? { name: 'message.html', type, content: new Uint8Array(content), hasLines: true }
      : { name: 'message.txt', type: 'text/plain', content: new Uint8Array(content), hasLines: true },
  );

/** An attached mail is known by its subject. */
function nameOfMail({ type, content }: MimePart): string | null {
  if (type !== 'message/rfc822') return null;
  const subject = decodeWords(Header.read(content).header.first('subject') ?? '').trim();
  return subject === '' ? null : `${Array.from(subject).slice(0, MAX_NAME).join('')}.eml`;
}
