/** Counts failures until the allowance per second forgives them. */
export class FailureAllowance {
  private failures = 0;
  private forgivenAt = 0;

  constructor(readonly perSecond: () => number) {}

  count(now: number): void {
    this.failures = this.unforgiven(now) + 1;
  }

  unforgiven(now: number): number {
    const forgiven = ((now - this.forgivenAt) / 1_000) * this.perSecond();
    this.failures = Math.max(0, this.failures - forgiven);
    this.forgivenAt = now;
    return this.failures;
  }
}
