import type { Page } from '#libs/lists';

/** Answered with 201. The interceptor sets the headers, so that handlers need not. */
export class CreatedResponse {
  constructor(
    readonly location: string,
    readonly body: object,
  ) {}
}

/** Answered with 202. `location` is where the progress can be read. */
export class AcceptedResponse {
  constructor(
    readonly location: string,
    readonly body: object,
  ) {}
}

/** A list without an end. Its cursor is where to go on, now or later. */
export class FeedResponse {
  constructor(
    readonly name: string,
    readonly items: readonly object[],
    readonly position: { readonly perPage: number; readonly cursor: string; readonly more: boolean },
  ) {}
}

export class ListResponse<T> {
  constructor(
    readonly name: string,
    readonly page: Page<T>,
    readonly toPayload: (item: T) => object,
  ) {}
}
