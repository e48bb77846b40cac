import { Text } from '../../../http/fields.js';
import { About } from '../../../http/about.js';
import { PageQueryDto } from '../../../http/page-query.dto.js';

export class AttachmentsQueryDto extends PageQueryDto {
  @About('Id of the message that they came with.')
  @Text(100)
  message: string;
}
