import type { Answer } from './answer-reader.js';

interface RouteCount {
  asked: number;
  done: number;
  refused: number;
}

export class RouteTally {
  private readonly routes = new Map<string, RouteCount>();
  private readonly statuses = new Map<number, number>();

  note(route: string, answers: readonly Answer[]): void {
    const count = this.routes.get(route) ?? { asked: 0, done: 0, refused: 0 };
    this.routes.set(route, count);
    count.asked++;
    const [first] = answers;
    if (first) count.done += Number(isDone(first));
    if (first) count.refused += Number(first.status >= 400);
    for (const { status } of answers) this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }

  /** Returns the routes without a success or without a refusal. */
  missing(routes: readonly string[]): string[] {
    return routes.flatMap((route) => {
      const { done, refused } = this.routes.get(route) ?? { done: 0, refused: 0 };
      return [
        ...(done === 0 ? [`${route} was never carried out`] : []),
        ...(refused === 0 ? [`${route} refused nothing`] : []),
      ];
    });
  }

  get doneShare(): number {
    const counts = [...this.routes.values()];
    const total = counts.reduce((sum, { asked }) => sum + asked, 0);
    return counts.reduce((sum, { done }) => sum + done, 0) / Math.max(1, total);
  }

  get byStatus(): readonly (readonly [status: number, count: number])[] {
    return [...this.statuses].sort(([one], [other]) => one - other);
  }

  /** Each route with its shares, the lowest share of successes first. */
  get lines(): string[] {
    return [...this.routes]
      .map(([route, { asked, done, refused }]) => ({ route, asked, done: done / asked, refused: refused / asked }))
      .sort((one, other) => one.done - other.done)
      .map(
        ({ route, asked, done, refused }) => `${percent(done)} done ${percent(refused)} refused of ${asked}  ${route}`,
      );
  }
}

const percent = (share: number): string => `${(100 * share).toFixed(1).padStart(5)} %`;

/** A successful form redirects to a page other than the sign-in, except for a sign-out. */
const isDone = ({ status, headers }: Answer): boolean =>
  (status >= 200 && status < 300) ||
  status === 304 ||
  (status === 303 &&
    (!headers.get('location')?.startsWith('/sign-in') || SIGNS_OUT.test(headers.get('set-cookie') ?? '')));

const SIGNS_OUT = /^deskwire-session=;/;
