import { Text } from '../../../http/field-decorators.js';
import { ApiDescription } from '../../../http/api-description.js';
import { PageQueryDto } from '../../../http/page-query.dto.js';

export class AttachmentsQueryDto extends PageQueryDto {
  @ApiDescription('Id of the message that they came with.')
  @Text(100)
  message: string;
}
