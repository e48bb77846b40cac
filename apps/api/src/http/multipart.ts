import { HttpException } from '@nestjs/common';

/** The problem that an error of the parser means. */
export function multipartError({ code }: { code?: string }): HttpException {
  if (code === 'FST_FIELDS_LIMIT' || code === 'FST_PARTS_LIMIT')
    return new HttpException({ error: 'too_many_fields', detail: 'The body has too many parts.' }, 413);
  return new HttpException({ error: 'malformed_body', detail: 'The body is not valid multipart/form-data.' }, 400);
}
