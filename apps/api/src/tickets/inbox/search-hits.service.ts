import { Transactions } from '#libs/database';
import { type RequestContext, parseSearch, wordQuery } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { type MarkedText, SearchMarks } from './search-marks.js';
import { type FoundText, findTexts } from './search-text.statements.js';

interface SearchHit {
  readonly kind: FoundText['kind'];
  readonly line: readonly MarkedText[];
}

export interface SearchHits {
  readonly marks: SearchMarks;
  readonly lines: ReadonlyMap<number, SearchHit>;
}

@Injectable()
export class SearchHitsService {
  constructor(private readonly transactions: Transactions) {}

  async read(context: RequestContext, q: string, numbers: readonly number[]): Promise<SearchHits> {
    const parts = parseSearch(q);
    const marks = new SearchMarks(parts);
    const queries = parts.flatMap((part) =>
      part.kind === 'words' && !part.excluded ? [`(${wordQuery(context.accountId, part.words, part.isExact)})`] : [],
    );
    if (queries.length === 0 || numbers.length === 0) return { marks, lines: new Map() };
    const account = this.transactions.account(context);
    const found = await findTexts(account, numbers, queries.join(' | '));
    const lines = found.flatMap(({ number, kind, text }) => {
      const line = marks.excerpt(text);
      return line ? [[number, { kind, line }] as const] : [];
    });
    return { marks, lines: new Map(lines) };
  }
}
