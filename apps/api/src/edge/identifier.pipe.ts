import { NotFound } from '#libs/entities';
import type { PipeTransform } from '@nestjs/common';

const MAX_CHARACTERS = 320;

/** Answers 404 for a text that cannot be the name or the id of a record. */
export class IdentifierPipe implements PipeTransform<string, string> {
  constructor(private readonly resource: string) {}

  transform(text: string): string {
    if (text.length > MAX_CHARACTERS || text.includes('\0')) throw new NotFound(this.resource);
    return text;
  }
}
