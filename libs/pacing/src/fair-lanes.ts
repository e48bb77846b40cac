/** First in, first out within a lane; the lanes take turns. */
export class FairLanes<T> {
  /** In turn. No lane is empty. */
  private readonly lanes = new Map<string, T[]>();
  private items = 0;

  get size(): number {
    return this.items;
  }

  get laneCount(): number {
    return this.lanes.size;
  }

  push(lane: string, item: T): void {
    this.items += 1;
    const own = this.lanes.get(lane);
    if (own) own.push(item);
    else this.lanes.set(lane, [item]);
  }

  /** Passes over items that may not be taken now. */
  shift(mayTake: (item: T) => boolean = () => true): T | undefined {
    for (const [lane, items] of this.lanes) {
      const place = items.findIndex(mayTake);
      if (place < 0) continue;
      const [item] = items.splice(place, 1);
      this.items -= 1;
      this.lanes.delete(lane);
      if (items.length > 0) this.lanes.set(lane, items);
      return item;
    }
    return undefined;
  }

  clear(): T[] {
    const all = [...this.lanes.values()].flat();
    this.lanes.clear();
    this.items = 0;
    return all;
  }

  /** Less than its equal share of `capacity`. */
  hasRoom(lane: string, capacity: number): boolean {
    const own = this.lanes.get(lane);
    const lanes = this.lanes.size + (own ? 0 : 1);
    return (own?.length ?? 0) < Math.ceil(capacity / lanes);
  }

  /** Removes the last item of the longest lane, unless `lane` would then be the longest. */
  makeRoomFor(lane: string): T | undefined {
    const own = this.lanes.get(lane)?.length ?? 0;
    const longest = [...this.lanes.values()].reduce((one, other) => (other.length > one.length ? other : one), []);
    if (longest.length <= own + 1) return undefined;
    this.items -= 1;
    return longest.pop();
  }
}
