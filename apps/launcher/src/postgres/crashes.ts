import fs from 'node:fs';

/**
 * PostgreSQL ends all sessions when one of its processes dies, and goes on. Only its log tells why. Signal 9 is sent from
 * outside: by a test, most of the time.
 */
const CRASH = /\bwas terminated by signal (?!9\b)\d+|\bPANIC: /;

/** What a log tells of crashes, each with the statement that was running. */
export function crashesIn(log: string | undefined): string[] {
  if (!log || !fs.existsSync(log)) return [];
  const lines = fs.readFileSync(log, 'utf8').split('\n');
  return lines.flatMap((line, at) => (CRASH.test(line) ? [line, ...detailBehind(lines, at)] : []));
}

/** The statement may have lines of its own, which begin with a tab. */
function detailBehind(lines: readonly string[], at: number): string[] {
  const rest = lines.slice(at + 1);
  if (!rest[0]?.includes('DETAIL: ')) return [];
  const end = rest.findIndex((line, index) => index > 0 && !line.startsWith('\t'));
  return rest.slice(0, end < 0 ? undefined : end);
}
