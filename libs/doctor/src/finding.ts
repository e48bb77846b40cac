export const VERDICTS = ['green', 'amber', 'red'] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface Finding {
  readonly verdict: Verdict;
  readonly name: string;
  /** What is so, and where it is not well, what to do. */
  readonly words: string;
}

export type Judged = Omit<Finding, 'name'>;

export const green = (words: string): Judged => ({ verdict: 'green', words });
export const amber = (words: string): Judged => ({ verdict: 'amber', words });
export const red = (words: string): Judged => ({ verdict: 'red', words });

export const worst = (findings: readonly Finding[]): Verdict =>
  VERDICTS.findLast((verdict) => findings.some((finding) => finding.verdict === verdict)) ?? 'green';

export const named = (name: string, judged: Judged): Finding => ({ name, ...judged });
