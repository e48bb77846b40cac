import { COPIED_KINDS, type CopiedKind } from '#libs/entities';
import { IsIn } from 'class-validator';
import { ListFilter } from '../layers/edge/field-decorators.js';
import { FeedQueryDto } from '../layers/edge/page-query.dto.js';

export class ChangesQueryDto extends FeedQueryDto {
  @ListFilter(
    'Lists only records of these types, separated by commas. Only the scopes that read them are needed. A cursor holds for its types or fewer.',
    IsIn(COPIED_KINDS, { each: true }),
  )
  type?: CopiedKind[];

  toQuery() {
    return { ...this.position(), kinds: this.type && [...new Set(this.type)] };
  }
}
