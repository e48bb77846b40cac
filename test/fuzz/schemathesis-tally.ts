/**
 * Refusals that no schema can express: they depend on stored records, the time, other fields or the meaning of a text,
 * or on NUL in a field that the document does not name. Named fields have a pattern without NUL.
 */
const UNSAYABLE =
  /^(?:nul_character|unknown_\w+|agent_archived|already_registered|not_changeable|not_current|too_many_\w+|page_too_far|empty_range|in_the_(?:past|future)|invalid_(?:filter|search)|not_authentication|one_of_two)$/;

/** A key that another request used, and a cursor that no response had. */
const RANDOM = new Set(['idempotency_key_reused', 'invalid_cursor']);
const PRECONDITION_FAILED = 412;

const MAX_REFUSED_OPERATIONS = 5;

/** Schemathesis also reports requests that the API accepts although the document is stricter. */
const LENIENT_CHECK = 'negative_data_rejection';
const REFUSAL_CHECK = 'positive_data_acceptance';

interface Scenario {
  readonly cases?: Readonly<Record<string, unknown>>;
  readonly checks?: Readonly<Record<string, readonly { readonly name: string; readonly status: string }[]>>;
  readonly interactions?: Readonly<Record<string, Interaction>>;
  readonly label?: string;
}

interface Interaction {
  readonly request: { readonly method: string; readonly uri: string };
  readonly response?: { readonly status_code: number; readonly content?: { readonly $base64?: string } | null } | null;
}

/** Counts what schemathesis reports, line by line of its NDJSON report. */
export class SchemathesisTally {
  private requests = 0;
  private lenient = 0;
  private readonly failures = new Map<string, number>();
  /** The codes of refused requests, by operation. */
  private readonly refused = new Map<string, Set<string>>();

  add(line: string): void {
    const { recorder } = (JSON.parse(line) as { ScenarioFinished?: { recorder?: Scenario } }).ScenarioFinished ?? {};
    if (!recorder) return;
    this.requests += Object.keys(recorder.interactions ?? {}).length;
    for (const [id, checks] of Object.entries(recorder.checks ?? {}))
      for (const { name, status } of checks)
        if (status === 'failure') this.fail(name, recorder.label ?? '', recorder.interactions?.[id]);
  }

  private fail(check: string, operation: string, interaction: Interaction | undefined): void {
    if (check === LENIENT_CHECK) this.lenient++;
    else if (check !== REFUSAL_CHECK) {
      const failure = `${check} of ${operation}`;
      this.failures.set(failure, (this.failures.get(failure) ?? 0) + 1);
    } else if (interaction?.response?.status_code !== PRECONDITION_FAILED)
      this.refused.set(operation, new Set([...(this.refused.get(operation) ?? []), ...codesOf(interaction)]));
  }

  /** Operations of which no request was refused for a key or a cursor, but some for something else. */
  private others(): [operation: string, codes: string[]][] {
    return [...this.refused]
      .map(([operation, codes]) => [operation, [...codes]] as [string, string[]])
      .filter(([, codes]) => !codes.some((code) => RANDOM.has(code)));
  }

  private avoidable(): [operation: string, codes: string[]][] {
    return this.others().filter(([, codes]) => codes.some((code) => !UNSAYABLE.test(code)));
  }

  hasPassed(): boolean {
    return this.requests > 0 && this.failures.size === 0 && this.avoidable().length <= MAX_REFUSED_OPERATIONS;
  }

  summary(): string {
    const others = this.others();
    const avoidable = new Set(this.avoidable().map(([operation]) => operation));
    return [
      `${this.requests} requests, ${this.lenient} accepted although the document is stricter`,
      `failed checks: ${[...this.failures].map(([check, count]) => `${check} ${count}`).join(', ') || 'none'}`,
      `operations that refused valid requests, except 412, reused keys and random cursors: ${others.length}`,
      ...others.map(([operation, codes]) => `  ${operation}: ${codes.join(', ')}`),
      `of these, by a rule that the document could state: ${avoidable.size} (at most ${MAX_REFUSED_OPERATIONS})`,
      ...[...avoidable].map((operation) => `  ${operation}`),
    ].join('\n');
  }
}

function codesOf(interaction: Interaction | undefined): string[] {
  const text = Buffer.from(interaction?.response?.content?.$base64 ?? '', 'base64').toString();
  try {
    const { error = '', errors = [] } = JSON.parse(text) as { error?: string; errors?: readonly { code: string }[] };
    return errors.length > 0 ? errors.map(({ code }) => code) : [error];
  } catch {
    return [text.slice(0, 100)];
  }
}
