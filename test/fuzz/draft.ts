/** A request before it is written as bytes. */
export interface RequestDraft {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly Header[];
  readonly body?: Buffer | undefined;
}

export type Header = readonly [name: string, value: string];

export interface DraftedRequest {
  /** As in the document or the controllers: `PUT /v1/tickets/{number}/state`. */
  readonly route: string;
  readonly caller: string;
  /** The account whose records the response may contain. */
  readonly account: string | undefined;
  readonly draft: RequestDraft;
  /** The response never ends, so only its start is read. */
  readonly streams?: boolean;
}
