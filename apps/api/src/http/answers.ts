import type { Page } from '#libs/lists';

/** What a handler answers when the body alone does not say it: the interceptor beside this knows headers, handlers do not. */
export class Created {
  constructor(
    readonly location: string,
    readonly body: object,
  ) {}
}

export class Listed<T> {
  constructor(
    readonly name: string,
    readonly page: Page<T>,
    readonly present: (item: T) => object,
  ) {}
}
