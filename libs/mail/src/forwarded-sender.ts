import { isMailAddress } from './mail-addresses.js';
import type { MailAddress } from './mail.js';
import { addressesIn } from './mime/addresses.js';

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** English, German, French, Spanish, Portuguese, Italian, Dutch and Scandinavian programs. */
const FROM = wordsOf('from von de da van från fra');
const OTHER_FIELDS = wordsOf(
  `date sent to subject datum gesendet an betreff envoyé à objet fecha enviado para asunto data assunto inviato a oggetto verzonden aan onderwerp skickat till ämne sendt til emne`,
);
const PREFIXES = wordsOf('fw fwd wg tr rv enc i doorst vb vs');
const FORWARDED =
  /forwarded|weitergeleitet|transféré|reenviado|encaminhada|inoltrato|doorgestuurd|vidarebefordra|videresend/i;

const MAX_TEXT_CHARACTERS = 50_000;
const MAX_LINE_CHARACTERS = 500;
/** Lines of a header in which another field must follow the sender. */
const MAX_HEADER_LINES = 4;

/** The sender of the email that this one forwards, or null. Only the outermost header counts, so a reply is no forward. */
export function forwardedSender({ subject, text }: { readonly subject: string; readonly text: string }) {
  const lines = text.slice(0, MAX_TEXT_CHARACTERS).split('\n').map(withoutMarks).filter(Boolean);
  const at = lines.findIndex((line, place) => FROM.has(labelOf(line)) && isHeader(lines, place));
  if (at === -1) return null;
  const isForward = PREFIXES.has(labelOf(subject.trim())) || FORWARDED.test(lines[at - 1] ?? '');
  const [, value] = splitLabel(lines[at]!);
  // A long name continues on the next line.
  return isForward ? addressIn(value.includes('@') ? value : `${value} ${lines[at + 1]}`) : null;
}

/** Quotation marks and asterisks of bold text. */
const withoutMarks = (line: string): string => line.slice(0, MAX_LINE_CHARACTERS).replaceAll(/^[>*\s]+|\*/g, '');

const isHeader = (lines: readonly string[], place: number): boolean =>
  lines.slice(place + 1, place + 1 + MAX_HEADER_LINES).some((line) => OTHER_FIELDS.has(labelOf(line)));

const labelOf = (line: string): string => splitLabel(line)[0].trim().toLowerCase();

function splitLabel(line: string): [label: string, value: string] {
  const colon = line.indexOf(':');
  return colon === -1 ? ['', ''] : [line.slice(0, colon), line.slice(colon + 1)];
}

function addressIn(value: string): MailAddress | null {
  // `Maya [mailto:maya@client.example]`
  const written = value
    .replaceAll(/mailto:/gi, '')
    .replaceAll('[', '<')
    .replaceAll(']', '>');
  const [found] = addressesIn(written);
  if (!found || !isMailAddress(found.address)) return null;
  const address = found.address.toLowerCase();
  return { address, name: found.name.toLowerCase() === address ? '' : found.name };
}
