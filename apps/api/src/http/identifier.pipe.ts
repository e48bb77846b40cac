import { NotFound } from '#libs/entities';
import type { PipeTransform } from '@nestjs/common';

const LONGEST = 320;

/** Whatever cannot be the name or the id of a record is a record that does not exist. */
export class NamePipe implements PipeTransform<string, string> {
  constructor(private readonly what: string) {}

  transform(text: string): string {
    if (text.length > LONGEST || text.includes('\0')) throw new NotFound(this.what);
    return text;
  }
}
