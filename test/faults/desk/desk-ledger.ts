/** A text of the campaign, recognised by its mark, and the outcome as its author saw it. */
export interface Written {
  readonly mark: string;
  readonly kind: 'mail' | 'reply' | 'note' | 'forward';
  /** Null if the text starts a ticket. */
  readonly ticket: number | null;
  /** Everyone who must get it by email, and nobody else may. */
  readonly recipients: readonly string[];
  /** `unknown` if the API was killed before it answered. */
  outcome: 'unknown' | 'accepted' | 'refused';
  undone: 'no' | 'unknown' | 'yes';
  /** The steps of its author, for the report of a failure. */
  readonly trace: string[];
}

export interface Assignment {
  readonly ticket: number;
  readonly recipients: readonly string[];
  outcome: Written['outcome'];
}

/** Fewer than the limit per agent and hour, so that none is left out. */
const MAX_NOTICES = 18;

export const MARK = /(?:mail|reply|note|forward)-\d+-end/;
export const ALL_MARKS = new RegExp(MARK, 'g');

export class DeskLedger {
  readonly written = new Map<string, Written>();
  readonly assignments: Assignment[] = [];
  readonly counts = new Map<string, number>();
  private readonly notices = new Map<string, number>();
  private readonly assigned = new Set<number>();
  private readonly families = new Map<number, number>();

  add(kind: Written['kind'], ticket: number | null, recipientsOf: (place: number) => readonly string[]): Written {
    const place = this.written.size + 1;
    const mark = `${kind}-${place}-end`;
    const one: Written = {
      mark,
      kind,
      ticket,
      recipients: recipientsOf(place),
      outcome: 'unknown',
      undone: 'no',
      trace: [],
    };
    this.written.set(mark, one);
    return one;
  }

  count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  /** Returns whether all of them may get one more notification. */
  reserve(agents: readonly string[]): boolean {
    if (agents.some((email) => (this.notices.get(email) ?? 0) >= MAX_NOTICES)) return false;
    for (const email of agents) this.notices.set(email, (this.notices.get(email) ?? 0) + 1);
    return true;
  }

  /** Each ticket is assigned once, so that its notification is recognised by its number. */
  assign(ticket: number, recipients: readonly string[]): Assignment | undefined {
    if (this.assigned.has(ticket) || !this.reserve(recipients)) return undefined;
    this.assigned.add(ticket);
    const assignment: Assignment = { ticket, recipients, outcome: 'unknown' };
    this.assignments.push(assignment);
    return assignment;
  }

  /** Tickets of a family have been merged, perhaps for a while. */
  join(one: number, other: number): void {
    this.families.set(this.familyOf(one), this.familyOf(other));
  }

  familyOf(ticket: number): number {
    const parent = this.families.get(ticket);
    return parent === undefined || parent === ticket ? ticket : this.familyOf(parent);
  }

  isMerged(ticket: number): boolean {
    return [...this.families.keys()].some(
      (other) => other !== ticket && this.familyOf(other) === this.familyOf(ticket),
    );
  }
}
