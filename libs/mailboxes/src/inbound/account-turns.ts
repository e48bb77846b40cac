/** After this time other accounts go first. Hundreds of small emails take less. */
const TURN_MS = 250;
/** With more accounts, a new round begins. */
const MAX_ACCOUNTS = 1000;

/** Tracks processing time by account, so that one with slow emails delays no other. */
export class AccountTurns {
  private readonly usedMs = new Map<string, number>();

  charge(accountId: string, ms: number): void {
    if (this.usedMs.size >= MAX_ACCOUNTS) this.usedMs.clear();
    this.usedMs.set(accountId, (this.usedMs.get(accountId) ?? 0) + ms);
  }

  get waiting(): string[] {
    return [...this.usedMs].filter(([, used]) => used >= TURN_MS).map(([accountId]) => accountId);
  }

  /** Called when no other account has mail: gives the half that used the least time another turn. */
  advance(): boolean {
    const waiting = [...this.usedMs.values()].filter((used) => used >= TURN_MS).toSorted((one, other) => one - other);
    const forgivenMs = waiting[Math.floor((waiting.length - 1) / 2)];
    if (forgivenMs === undefined) return false;
    for (const [accountId, used] of this.usedMs) {
      if (used <= forgivenMs) this.usedMs.delete(accountId);
      else this.usedMs.set(accountId, used - forgivenMs);
    }
    return true;
  }
}
