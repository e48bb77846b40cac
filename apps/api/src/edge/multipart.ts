import { HttpException } from '@nestjs/common';

/** The problem that an error of the parser means. */
export function multipartError({ code }: { code?: string }): HttpException {
  if (code === 'FST_FIELDS_LIMIT' || code === 'FST_PARTS_LIMIT')
    return new HttpException({ error: 'too_many_fields', detail: 'The body has too many parts.' }, 413);
  return new HttpException({ error: 'malformed_body', detail: 'The body is not valid multipart/form-data.' }, 400);
}

/** Translates the errors of the parser. Errors of the consumer pass unchanged. */
export async function* withMultipartErrors<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    for await (const part of source) yield part;
  } catch (error) {
    throw multipartError(error as { code?: string });
  }
}
