import { SENDER_CHECKS, SENDER_RESULTS, type SenderResult, type SenderVerdicts } from '#libs/entities';
import type { HeaderField } from '#libs/mail';

/** Anyone can have written the header. */
export interface ClaimedVerdicts {
  /** Empty for a `Received`. */
  readonly server: string;
  /** In this spelling, the server may not recognize its name and leave the header. */
  readonly isDisguised: boolean;
  readonly verdicts: Partial<SenderVerdicts>;
  /** The domain that DMARC checked. */
  readonly domain: string | null;
}

/** An email passes a few servers. More are forged. */
const MAX_FIELDS = 50;

/** RFC 8601. Topmost first, which the last server wrote. */
export const claimedVerdicts = (fields: readonly HeaderField[]): ClaimedVerdicts[] =>
  fields.slice(0, MAX_FIELDS).map((field) => (field.name === 'received' ? RECEIVED : claimIn(field)));

const RECEIVED: ClaimedVerdicts = { server: '', isDisguised: false, verdicts: {}, domain: null };

function claimIn({ value, isStrict }: HeaderField): ClaimedVerdicts {
  const written = value.toString();
  const { text, isComplete } = withoutComments(written);
  const [name = '', ...results] = text.split(';');
  const server = serverIn(name);
  const dmarc = results.filter((result) => methodOf(result) === 'dmarc');
  // Programs disagree on which of two results counts, and where an unclosed quotation ends. It still hides headers
  // below it.
  const isAmbiguous = dmarc.length > 1 || !isComplete;
  return {
    server,
    isDisguised: !isStrict || PLAIN_SERVER.exec(written)?.[1]?.toLowerCase() !== server,
    verdicts: { ...resultsIn(results), ...(isAmbiguous && { dmarc: 'permerror' as const }) },
    domain: isAmbiguous ? null : domainIn(dmarc[0] ?? ''),
  };
}

/** Null if the mailbox names no server, the mail did not pass it, or a header forges its name. */
export function verdictsOf(claimed: readonly ClaimedVerdicts[], authservId: string | null): SenderVerdicts | null {
  const trusted = trustedHeaders(claimed, authservId);
  if (!trusted || trusted.length === 0) return null;
  const found = (check: keyof SenderVerdicts): SenderResult | null =>
    trusted.map(({ verdicts }) => verdicts[check]).find((one) => one) ?? null;
  return { spf: found('spf'), dkim: found('dkim'), dmarc: found('dmarc') };
}

/** DMARC passed for this domain, according to the mailbox’s server. */
export function provenDomain(claimed: readonly ClaimedVerdicts[], authservId: string | null): string | null {
  const checked = trustedHeaders(claimed, authservId)?.find(({ verdicts }) => verdicts.dmarc);
  return checked?.verdicts.dmarc === 'pass' ? checked.domain : null;
}

/**
 * The sender is probably not the one in From. A sender can make the result ambiguous, so an error counts too. SPF fails
 * for forwarded mail and DKIM for mailing lists, so neither counts alone.
 */
export function isSenderDoubtful(claimed: readonly ClaimedVerdicts[], authservId: string | null): boolean {
  const dmarc = verdictsOf(claimed, authservId)?.dmarc;
  return dmarc === 'fail' || dmarc === 'permerror' || trustedHeaders(claimed, authservId) === null;
}

/**
 * The topmost header of the mailbox’s server and those that follow it: each of its programs writes one. Milters and
 * policy services of Postfix put theirs on the same side of its `Received`. Below the next `Received`, or the header of
 * another server, they came with the mail. Null if a header forges the server’s name.
 */
function trustedHeaders(claimed: readonly ClaimedVerdicts[], authservId: string | null) {
  const isOurs = ({ server }: ClaimedVerdicts): boolean => server === authservId?.toLowerCase();
  if (claimed.some((one) => isOurs(one) && one.isDisguised)) return null;
  const start = claimed.findIndex(isOurs);
  const end = claimed.findIndex((one, place) => place > start && !isOurs(one));
  return start < 0 ? [] : claimed.slice(start, end < 0 ? undefined : end);
}

/** Only white space may precede it; a blank or the first result follows. */
const PLAIN_SERVER = /^[ \t\r\n]*([\w.:/@+-]+)(?=[ \t\r\n;]|$)/;

/** A version may follow the server’s name. */
const serverIn = (text: string): string => (text.trim().split(/\s/, 1)[0] ?? '').replaceAll('"', '').toLowerCase();

/** Null if DMARC names none or several. */
function domainIn(result: string): string | null {
  const named = [...result.matchAll(/\sheader\.from=("?)([^\s"@]+)\1(?=\s|$)/gi)];
  return named.length === 1 ? named[0]![2]!.toLowerCase() : null;
}

const methodOf = (result: string): string => (result.split('=', 1)[0]!.split('/', 1)[0] ?? '').trim().toLowerCase();

function resultsIn(results: readonly string[]): Partial<SenderVerdicts> {
  const verdicts: Partial<Record<keyof SenderVerdicts, SenderResult>> = {};
  for (const result of results) {
    const [, rest = ''] = result.split('=', 2);
    const check = SENDER_CHECKS.find((one) => one === methodOf(result));
    const word = (rest.trim().split(/\s/, 1)[0] ?? '').toLowerCase();
    const verdict = SENDER_RESULTS.find((one) => one === word);
    if (check && verdict && (verdicts[check] === undefined || (check === 'dkim' && verdict === 'pass')))
      verdicts[check] = verdict;
  }
  return verdicts;
}

/** Replaces characters that mean something outside quotes. Occurs in no domain name. */
const QUOTED = '\0';

/** Comments nest, and quoted text is not a comment. A backslash escapes in either, and nowhere else (RFC 5322). */
function withoutComments(text: string): { readonly text: string; readonly isComplete: boolean } {
  let [depth, isQuoted, kept] = [0, false, ''];
  for (let place = 0; place < text.length; place++) {
    const isEscaped = text[place] === '\\' && (isQuoted || depth > 0);
    if (isEscaped) place += 1;
    const sign = text[place] ?? '';
    if (isQuoted) {
      isQuoted = isEscaped || sign !== '"';
      kept += isQuoted && !/[\w.@+-]/.test(sign) ? QUOTED : sign;
    } else if (depth === 0 && sign !== '(') {
      isQuoted = sign === '"';
      kept += sign;
    } else if (!isEscaped && sign === '(') depth += 1;
    else if (!isEscaped && sign === ')') depth -= 1;
  }
  return { text: kept, isComplete: depth === 0 && !isQuoted };
}
