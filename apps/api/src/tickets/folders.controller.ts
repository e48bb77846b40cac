import { wholePage } from '#libs/lists';
import { API_FOLDER_IDS, FOLDERS } from '#libs/tickets';
import { Controller, Get } from '@nestjs/common';
import { ApiOperation } from '../edge/api-operation.decorator.js';

const BUILT_IN = wholePage(API_FOLDER_IDS.map((id) => ({ id, name: FOLDERS[id].name })));

@Controller('v1/folders')
export class FoldersController {
  @Get()
  @ApiOperation('List the built-in views of tickets', { list: ['folders', 'Folder'] })
  list() {
    return BUILT_IN;
  }
}
