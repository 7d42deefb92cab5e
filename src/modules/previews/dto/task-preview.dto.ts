import { ApiProperty } from '@nestjs/swagger';

/** A gated preview (docs/decisions/interface.md#fields-and-ranges). */
export class TaskPreviewDto {
  @ApiProperty({
    type: String,
    format: 'uri',
    description: 'Short-lived page, bound to the task, the caller and what the caller may see of it.',
    example: 'https://api.example.com/previews/2jUq4mVn0Hk7s1Yb9cWd',
  })
  url!: string;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-11-20T13:05:00.000Z' })
  expires_at!: string;
}
