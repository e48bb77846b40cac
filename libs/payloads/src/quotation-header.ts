const wordsIn = (groups: readonly string[]): string[] => groups.flatMap((group) => group.split('|'));

/** “wrote” in the languages of mail programs. */
const WROTE = wordsIn([
  'wrote|writes|schrieb|schreibt|a écrit|escribió|escreveu|ha scritto|schreef|skrev',
  'skrifaði|kirjoitti|napisał|pisze|napsal|napísal|написа|пишет|пише|писал|έγραψε',
  'yazdı|yazmış|írta|a scris|je napisa|rašė|kirjutas|đã viết|כתב|كتب|เขียน|menulis',
  '写道|寫道|のメッセージ|님이 작성|작성:',
]);
/** The words before the date. */
const BEGINNING = /^(?:on|am|le|el|em|il|op|den|dne|w dniu|la|pada|vào|kl\.?|at|\d)/i;
const TIME = /\d{1,2}\s?[:.h時时시]\s?\d{2}/;
const DAY = /(?:19|20)\d{2}|\d{1,2}[./-]\d{1,2}[./-]\d{2}/;
const ADDRESS = /@[^\s<>()[\]@]{1,200}[>)\]]/;
/** Longer lines are prose, and the patterns would take long on them. */
const MAX_HEADER_CHARACTERS = 400;

/**
 * Recognises `On 3 March 2025 at 10:11, Ana Lima <ana@client.test> wrote:`. Without quoted lines below, the header needs a date
 * and a time as well as a name, because people also quote others in a sentence.
 */
export function isQuotationHeader(line: string, isQuotedBelow: boolean): boolean {
  if (line.length > MAX_HEADER_CHARACTERS || !/[:：]$/.test(line)) return false;
  const hasVerb = hasWrote(line);
  const [hasTime, hasDay, hasAddress] = [TIME.test(line), DAY.test(line), ADDRESS.test(line)];
  if (isQuotedBelow) return hasVerb || (hasAddress && (hasTime || hasDay));
  return hasTime && hasDay && (hasAddress || (hasVerb && BEGINNING.test(line)));
}

function hasWrote(line: string): boolean {
  const small = line.toLowerCase();
  return WROTE.some((word) => small.includes(word));
}

/** Whether the line can be the first of a wrapped header. */
export const beginsQuotationHeader = (line: string): boolean =>
  line.length <= MAX_HEADER_CHARACTERS &&
  ((BEGINNING.test(line) && /\d/.test(line)) || (TIME.test(line) && DAY.test(line)));

/** Titles between dashes above a quoted message. */
const ORIGINAL_MESSAGE = new Set(
  wordsIn([
    'original message|original appointment|reply message|ursprüngliche nachricht|originalnachricht',
    "original nachricht|message d'origine|message d’origine|message original|mensaje original",
    'mensagem original|messaggio originale|oorspronkelijk bericht|originele bericht|původní zpráva',
    'ursprungligt meddelande|oprindelig meddelelse|oprindelig besked|opprinnelig melding|alkuperäinen viesti',
    'wiadomość oryginalna|oryginalna wiadomość|pôvodná správa|eredeti üzenet|mesaj original',
    'исходное сообщение|оригинальное сообщение|початкове повідомлення|orijinal mesaj|özgün ileti',
    '原始邮件|原始郵件|邮件原件|原邮件|元のメッセージ|원본 메시지|원본 메일',
  ]),
);

const FORWARDED = wordsIn([
  'forwarded message|begin forwarded message|weitergeleitete nachricht|anfang der weitergeleiteten',
  'message transféré|début du message|mensaje reenviado|inicio del mensaje reenviado|mensagem encaminhada',
  'messaggio inoltrato|inizio messaggio inoltrato|doorgestuurd bericht|begin doorgestuurd bericht',
  'vidarebefordrat meddelande|videresendt|edelleenlähetetty viesti|wiadomość przekazana|přeposlaná',
  'пересылаемое сообщение|пересланное сообщение|переслане повідомлення|转发|轉寄|転送|전달된 메시지',
]);

/** Forwarded text is meant to be read, so it is not a quotation. */
export function isForwarding(line: string): boolean {
  const words = wordsOf(line);
  return words !== null && FORWARDED.some((word) => words.startsWith(word));
}

/** Labels of the block that Outlook writes above a message: `From:`, then `Sent:`, `To:` and `Subject:`. */
const FROM_LABELS = new Set(
  wordsIn([
    'from|von|de|da|van|från|fra|frå|lähettäjä|od|от|від|feladó|gönderen',
    'kimden|από|de la|expéditeur|mittente|发件人|寄件者|差出人|보낸 사람',
  ]),
);
const OTHER_LABELS = new Set(
  wordsIn([
    'sent|date|to|cc|subject|gesendet|datum|an|betreff|envoyé|envoyé le|à|objet',
    'enviado|enviado el|enviada|enviada em|fecha|para|asunto|data|assunto|inviato|a',
    'oggetto|verzonden|aan|onderwerp|skickat|till|ämne|sendt|dato|til|emne|trimis',
    'lähetetty|vastaanottaja|aihe|wysłano|do|temat|odesláno|komu|předmět|către|subiect',
    'отправлено|дата|кому|тема|надіслано|elküldve|címzett|tárgy|gönderildi|tarih|kime',
    'konu|kopia|kopie|copie à|destinataire|στάλθηκε|προς|θέμα|发送时间|日期|收件人|主题',
    '抄送|寄件日期|收件者|主旨|送信日時|宛先|件名|보낸 날짜|날짜|받는 사람|제목',
  ]),
);
const MAX_BLOCK_LINES = 6;

export function isQuotationBlock(lines: readonly string[], start: number): boolean {
  const line = lines[start]!;
  const words = /^\s*[-_]/.test(line) ? wordsOf(line) : null;
  if (words !== null && (ORIGINAL_MESSAGE.has(words) || isBetweenDashes(line))) return true;
  if (!FROM_LABELS.has(labelOf(line))) return false;
  return lines.slice(start + 1, start + MAX_BLOCK_LINES).filter((one) => OTHER_LABELS.has(labelOf(one))).length >= 2;
}

/** Recognises `---- On Mon, 3 Mar 2025 10:11:12 +0100 ana@client.test wrote ----`. */
const isBetweenDashes = (line: string): boolean =>
  line.startsWith('---- ') && line.trimEnd().endsWith(' ----') && TIME.test(line) && DAY.test(line) && hasWrote(line);

/** The words of a line without the dashes around them. */
const wordsOf = (line: string): string | null =>
  line.length > MAX_HEADER_CHARACTERS
    ? null
    : line
        .toLowerCase()
        .replaceAll(/[-_*:\s]+/g, ' ')
        .trim();

/** The text before the colon, without the asterisks that plain text has for bold. */
function labelOf(line: string): string {
  const colon = line.slice(0, MAX_HEADER_CHARACTERS).search(/[:：]/);
  return colon === -1 ? '' : line.slice(0, colon).replaceAll('*', '').trim().toLowerCase();
}
