import { SENDER_CHECKS, SENDER_RESULTS, type SenderResult, type SenderVerdicts } from '#libs/entities';

/** Anyone can have written the header. */
export interface ClaimedVerdicts {
  readonly server: string;
  readonly verdicts: Partial<SenderVerdicts>;
  /** The domain that DMARC checked. */
  readonly domain: string | null;
}

/** A mail passes a few servers. More are forged. */
const MAX_HEADERS = 20;

/** RFC 8601. Topmost first, which the last server wrote. */
export const claimedVerdicts = (headers: readonly string[]): ClaimedVerdicts[] =>
  headers.slice(0, MAX_HEADERS).map((header) => {
    const { text, isComplete } = withoutComments(header);
    const [server = '', ...results] = text.split(';');
    const dmarc = results.filter((result) => methodOf(result) === 'dmarc');
    // Programs disagree on which of two results counts, and where an unclosed quotation ends. It still hides headers
    // below it.
    const isAmbiguous = dmarc.length > 1 || !isComplete;
    return {
      server: serverIn(server),
      verdicts: { ...resultsIn(results), ...(isAmbiguous && { dmarc: 'permerror' as const }) },
      domain: isAmbiguous ? null : domainIn(dmarc[0] ?? ''),
    };
  });

/**
 * The mailbox’s server removes headers that others wrote in its name and writes above the rest, so the topmost result
 * counts. Null if the mailbox names no server, or the mail did not pass it.
 */
export function verdictsOf(claimed: readonly ClaimedVerdicts[], authservId: string | null): SenderVerdicts | null {
  const trusted = claimed.filter(({ server }) => authservId !== null && server === authservId.toLowerCase());
  if (trusted.length === 0) return null;
  const found = (check: keyof SenderVerdicts): SenderResult | null =>
    trusted.map(({ verdicts }) => verdicts[check]).find((one) => one) ?? null;
  return { spf: found('spf'), dkim: found('dkim'), dmarc: found('dmarc') };
}

/** DMARC passed for this domain, according to the mailbox’s server. */
export function provenDomain(claimed: readonly ClaimedVerdicts[], authservId: string | null): string | null {
  const checked = claimed.find(
    ({ server, verdicts }) => authservId !== null && server === authservId.toLowerCase() && verdicts.dmarc,
  );
  return checked?.verdicts.dmarc === 'pass' ? checked.domain : null;
}

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
