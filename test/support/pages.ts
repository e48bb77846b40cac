import type { ApiClient, ApiResponse } from './api-client.js';

/** The records of a list from this page on, in order, and the number of pages with them. */
export async function walkPages(
  client: ApiClient,
  path: string,
  { maxPages = Infinity } = {},
): Promise<{ records: ApiResponse['body'][]; pages: number; isOver: boolean }> {
  const records: ApiResponse['body'][] = [];
  let pages = 0;
  let next: string | null = path;
  for (; next !== null && pages < maxPages; pages++) {
    const { pathname, search } = new URL(next, client.base);
    const { status, body, text }: ApiResponse = await client.get(`${pathname}${search}`);
    if (status !== 200) throw new Error(text);
    records.push(...Object.values(body).filter(Array.isArray).flat());
    ({ next_page: next } = body.meta.pagination as { next_page: string | null });
  }
  return { records, pages, isOver: next === null };
}

/** The values of a field of all records of a list. */
export const walkValues = async (client: ApiClient, path: string, field: string): Promise<ApiResponse['body'][]> =>
  (await walkPages(client, path)).records.map((record) => record[field]);
