const VERDICTS = ['green', 'amber', 'red'] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface Finding {
  readonly verdict: Verdict;
  readonly name: string;
  /** The state, and what to do if it is not good. */
  readonly words: string;
}

export type CheckResult = Omit<Finding, 'name'>;

export const green = (words: string): CheckResult => ({ verdict: 'green', words });
export const amber = (words: string): CheckResult => ({ verdict: 'amber', words });
export const red = (words: string): CheckResult => ({ verdict: 'red', words });

export const worst = (findings: readonly Finding[]): Verdict =>
  VERDICTS.findLast((verdict) => findings.some((finding) => finding.verdict === verdict)) ?? 'green';

export const toFinding = (name: string, result: CheckResult): Finding => ({ name, ...result });
