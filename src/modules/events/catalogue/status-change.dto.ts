import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** From which status to which. */
export class StatusChangeDto {
  @ApiPropertyOptional({
    type: String,
    description: 'Absent for something new.',
    example: 'pending_signature',
  })
  from?: string;

  @ApiProperty({ type: String, description: 'As the subject shows it.', example: 'submitted' })
  to!: string;
}
