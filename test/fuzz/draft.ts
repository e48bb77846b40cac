/** A request before it is written as bytes. */
export interface RequestDraft {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: readonly Header[];
  readonly body?: Buffer | undefined;
}

export type Header = readonly [name: string, value: string];

/** A draft, with whom it comes from and where it goes. */
export interface DraftedRequest {
  /** As the document or the controllers name it: `PUT /v1/tickets/{number}/state`. */
  readonly route: string;
  readonly caller: string;
  /** Whose records the answer may show. */
  readonly account: string | undefined;
  readonly draft: RequestDraft;
  /** The answer never ends, so only its start is read. */
  readonly streams?: boolean;
}
