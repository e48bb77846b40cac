import { SENDER_CHECKS, SENDER_RESULTS, type SenderResult, type SenderVerdicts } from '#libs/entities';

/** What one header says. Anybody can have written it. */
export interface ClaimedVerdicts {
  readonly server: string;
  readonly verdicts: Partial<SenderVerdicts>;
  /** Of From, as whoever checked DMARC read it. */
  readonly domain: string | null;
}

/** A mail has passed a few servers. More headers than these were not written by them. */
const MOST_HEADERS = 20;

/** What Authentication-Results (RFC 8601) say, the topmost first, which the last server wrote. */
export const claimedVerdicts = (headers: readonly string[]): ClaimedVerdicts[] =>
  headers.slice(0, MOST_HEADERS).map((header) => {
    const [server = '', ...results] = withoutComments(header).split(';');
    return { server: serverIn(server), verdicts: resultsIn(results), domain: domainIn(results) };
  });

/**
 * What the mailbox’s own server found out. It takes away what others wrote in its name, and stands above whatever it left: of
 * each check the topmost counts. Null where the mailbox names no server, or the mail did not pass it.
 */
export function verdictsOf(claimed: readonly ClaimedVerdicts[], authservId: string | null): SenderVerdicts | null {
  const trusted = claimed.filter(({ server }) => authservId !== null && server === authservId.toLowerCase());
  if (trusted.length === 0) return null;
  const found = (check: keyof SenderVerdicts): SenderResult | null =>
    trusted.map(({ verdicts }) => verdicts[check]).find((one) => one) ?? null;
  return { spf: found('spf'), dkim: found('dkim'), dmarc: found('dmarc') };
}

/** The domain in From for which DMARC passed, by the word of the mailbox’s own server. Null if it did not, or none is named. */
export function provenDomain(claimed: readonly ClaimedVerdicts[], authservId: string | null): string | null {
  const checked = claimed.find(
    ({ server, verdicts }) => authservId !== null && server === authservId.toLowerCase() && verdicts.dmarc,
  );
  return checked?.verdicts.dmarc === 'pass' ? checked.domain : null;
}

/** A version may follow the name. */
const serverIn = (text: string): string => (text.trim().split(/\s/, 1)[0] ?? '').replaceAll('"', '').toLowerCase();

/** Of the first result of DMARC, which is the one that counts. */
function domainIn(results: readonly string[]): string | null {
  const dmarc = results.find((result) => /^\s*dmarc\s*[/=]/i.test(result)) ?? '';
  return /\sheader\.from=("?)([^\s"@]+)\1(?:\s|$)/i.exec(dmarc)?.[2]?.toLowerCase() ?? null;
}

/** Of several signatures one that is right is enough. */
function resultsIn(results: readonly string[]): Partial<SenderVerdicts> {
  const verdicts: Partial<Record<keyof SenderVerdicts, SenderResult>> = {};
  for (const result of results) {
    const [method = '', rest = ''] = result.split('=', 2);
    const check = SENDER_CHECKS.find((one) => one === method.trim().split('/', 1)[0]!.trim().toLowerCase());
    const word = (rest.trim().split(/\s/, 1)[0] ?? '').toLowerCase();
    const verdict = SENDER_RESULTS.find((one) => one === word);
    if (check && verdict && (verdicts[check] === undefined || (check === 'dkim' && verdict === 'pass')))
      verdicts[check] = verdict;
  }
  return verdicts;
}

/** Comments may stand within comments, and what is quoted is none. */
function withoutComments(text: string): string {
  let [depth, isQuoted, kept] = [0, false, ''];
  for (let place = 0; place < text.length; place++) {
    const sign = text[place]!;
    if (sign === '\\') place += 1;
    else if (sign === '"' && depth === 0) isQuoted = !isQuoted;
    else if (sign === '(' && !isQuoted) depth += 1;
    else if (sign === ')' && depth > 0) depth -= 1;
    else if (depth === 0) kept += isQuoted && sign === ';' ? ' ' : sign;
  }
  return kept;
}
