import { Module } from '@nestjs/common';
import { ArtifactsModule } from '../artifacts/artifacts.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { PreviewFacts } from './delivered-work/preview-facts.js';
import { PreviewLinks } from './preview-links.js';
import { PreviewPageController } from './preview-page.controller.js';
import { PreviewsController } from './previews.controller.js';
import { PreviewsService } from './previews.service.js';

@Module({
  imports: [ArtifactsModule, TasksModule],
  controllers: [PreviewsController, PreviewPageController],
  providers: [PreviewsService, PreviewFacts, PreviewLinks],
  exports: [PreviewsService],
})
export class PreviewsModule {}
