import { MAX_MAIL_BYTES } from '../inbound/mail-size.js';

const MIB = 1024 * 1024;
const MAX_HEADER_CHARACTERS = 32 * 1024;

export interface MissedMail {
  readonly uid: number;
  readonly folder: string;
  /** Of a mail that is too large. Null for one that the server does not send. */
  readonly beginning: Buffer | null;
}

/** A mail in the place of one that cannot be had, so that somebody hears of it. It has its header, and joins its ticket. */
export function standInFor({ uid, folder, beginning }: MissedMail): Buffer {
  const where = `It is still on the mail server, in the folder ${folder.replaceAll(/\s+/g, ' ')}, with the number ${uid}.`;
  const text = beginning
    ? `This mail is larger than ${MAX_MAIL_BYTES / MIB} MiB and was left where it is. ${where}`
    : `The mail server does not send this mail. ${where}`;
  const header = beginning ? headerOf(beginning) : ['Subject: A mail that could not be fetched'];
  const said = [
    ...header,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
  ];
  return Buffer.concat([Buffer.from(`${said.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(`${text}\r\n`, 'utf8')]);
}

/** All but what it says of its body, which is not here. */
function headerOf(beginning: Buffer): string[] {
  const [header = ''] = beginning
    .toString('latin1')
    .slice(0, MAX_HEADER_CHARACTERS)
    .split(/\r?\n\r?\n/, 1);
  const fields = header.split(/\r?\n(?![ \t])/);
  return fields.filter((field) => field.includes(':') && !/^(content-|mime-version)/i.test(field));
}
