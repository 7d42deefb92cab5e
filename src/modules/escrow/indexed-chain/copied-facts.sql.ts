/** Number of columns that `COPY_FACTS` reads. */
export const FACT_COLUMNS = 9;

/** Reads new facts in the binary format, their columns in this order. */
export const COPY_FACTS = `COPY chain_facts
    (block_number, log_index, block_hash, block_time, transaction_hash, task_id, action_id_hash, fact, cancelled_mask)
  FROM STDIN (FORMAT binary)`;
