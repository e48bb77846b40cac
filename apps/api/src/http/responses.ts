import type { Page } from '#libs/lists';

/** What a handler answers when the body alone does not say it: the interceptor beside this knows headers, handlers do not. */
export class CreatedResponse {
  constructor(
    readonly location: string,
    readonly body: object,
  ) {}
}

/** It will be done; `location` tells how far it is. */
export class AcceptedResponse {
  constructor(
    readonly location: string,
    readonly body: object,
  ) {}
}

/** A list without an end: its cursor is where to go on, at once where there is more, or later. */
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
