import { FOLDERS } from '#libs/desk';
import { wholePage } from '#libs/lists';
import { Controller, Get } from '@nestjs/common';
import { ApiOperation } from '../../http/api-operation.decorator.js';

const BUILT_IN = wholePage(Object.entries(FOLDERS).map(([id, { name }]) => ({ id, name })));

@Controller('v1/folders')
export class FoldersController {
  @Get()
  @ApiOperation('List the built-in views of tickets', { list: ['folders', 'Folder'] })
  list() {
    return BUILT_IN;
  }
}
