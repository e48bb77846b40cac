/** How many each has open, bounded. */
export class OpenCounts {
  private readonly counts = new Map<string, number>();

  constructor(private readonly most: number) {}

  /** Returns how to leave, or nothing if there is no room. */
  enter(key: string): (() => void) | undefined {
    const count = this.counts.get(key) ?? 0;
    if (count >= this.most) return undefined;
    this.counts.set(key, count + 1);
    let entered = true;
    return () => {
      if (entered) this.leave(key);
      entered = false;
    };
  }

  private leave(key: string): void {
    const left = this.counts.get(key)! - 1;
    if (left > 0) this.counts.set(key, left);
    else this.counts.delete(key);
  }
}
