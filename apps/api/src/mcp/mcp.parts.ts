import type { ModuleMetadata } from '@nestjs/common';
import { AssistantRepliesService } from './assistant-replies.service.js';
import { AssistantsController } from './assistants.controller.js';
import { McpController } from './mcp.controller.js';
import { McpMethodsService } from './mcp-methods.service.js';
import { ReadingTools } from './reading.tools.js';
import { ToolsService } from './tools.service.js';
import { WritingTools } from './writing.tools.js';

export const MCP_PARTS = {
  controllers: [AssistantsController, McpController],
  providers: [AssistantRepliesService, McpMethodsService, ReadingTools, ToolsService, WritingTools],
} satisfies ModuleMetadata;
