import type { OpenApiContract } from '#test/support/openapi-contract.js';
import { faultsOfAnswer, isRefusedByBound } from './answer-checks.js';
import type { Answer } from './answer-reader.js';
import type { FuzzRequest } from './fuzz-request.js';
import type { Exchange } from './http-connection.js';

export interface Failure {
  readonly what: string;
  readonly request?: FuzzRequest | undefined;
  readonly answer?: Answer | undefined;
  times: number;
}

/** Checks every response against the contract, and keeps one example of each kind of failure. */
export class AnswerJudge {
  refusedByBounds = 0;
  private readonly found = new Map<string, Failure>();

  constructor(private readonly contract: OpenApiContract) {}

  get failures(): readonly Failure[] {
    return [...this.found.values()];
  }

  judge(request: FuzzRequest, { answers, fault }: Exchange): void {
    if (fault !== undefined) this.note(fault, request, answers[0]);
    for (const answer of answers) {
      this.refusedByBounds += Number(isRefusedByBound(answer));
      for (const what of faultsOfAnswer(request, answer)) this.note(what, request, answer);
    }
    const [first] = answers;
    if (request.draft && first) this.holdToDocument(request, first);
  }

  note(what: string, request?: FuzzRequest, answer?: Answer): void {
    const key = `${what.slice(0, 120)} ${request?.route ?? ''}`;
    const known = this.found.get(key);
    if (known) known.times++;
    else this.found.set(key, { what, request, answer, times: 1 });
  }

  private holdToDocument(request: FuzzRequest, answer: Answer): void {
    const { method, target } = request.draft!;
    const path = target.split('?')[0]!;
    if (!path.startsWith('/v1/') || request.server === 'worker' || isRefusedByBound(answer)) return;
    const contentType = answer.headers.get('content-type') ?? '';
    try {
      const body: unknown = answer.body === '' ? undefined : JSON.parse(answer.body);
      this.contract.check({ method, path, status: answer.status, contentType, body });
    } catch (error) {
      this.note(`not as the OpenAPI document says: ${(error as Error).message}`, request, answer);
    }
  }
}
