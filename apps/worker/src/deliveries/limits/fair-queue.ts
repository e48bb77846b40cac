/** First come, first served within an account, and the accounts by turns. */
export class FairQueue<T> {
  /** In the order of their turns. None is empty. */
  private readonly byAccount = new Map<string, T[]>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** What an account may have in a queue for `capacity`, beside the others that wait. */
  hasRoom(accountId: string, capacity: number): boolean {
    const own = this.byAccount.get(accountId);
    const accounts = this.byAccount.size + (own ? 0 : 1);
    return (own?.length ?? 0) < Math.ceil(capacity / accounts);
  }

  push(accountId: string, item: T): void {
    this.count += 1;
    const own = this.byAccount.get(accountId);
    if (own) own.push(item);
    else this.byAccount.set(accountId, [item]);
  }

  shift(): T | undefined {
    for (const [accountId, items] of this.byAccount) {
      const item = items.shift();
      this.count -= 1;
      this.byAccount.delete(accountId);
      if (items.length > 0) this.byAccount.set(accountId, items);
      return item;
    }
    return undefined;
  }

  clear(): T[] {
    const all = [...this.byAccount.values()].flat();
    this.byAccount.clear();
    this.count = 0;
    return all;
  }

  get accounts(): number {
    return this.byAccount.size;
  }
}
