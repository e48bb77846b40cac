import type { Page } from '#libs/lists';

/** What a handler answers when the body alone does not say it: the interceptor beside this knows headers, handlers do not. */
export class Created {
  constructor(
    readonly location: string,
    readonly body: object,
  ) {}
}

/** It will be done; `location` tells how far it is. */
export class Accepted {
  constructor(
    readonly location: string,
    readonly body: object,
  ) {}
}

/** A list without an end: its cursor is where to go on, at once where there is more, or later. */
export class Fed {
  constructor(
    readonly name: string,
    readonly items: readonly object[],
    readonly place: { readonly perPage: number; readonly cursor: string; readonly more: boolean },
  ) {}
}

export class Listed<T> {
  constructor(
    readonly name: string,
    readonly page: Page<T>,
    readonly present: (item: T) => object,
  ) {}
}
