// What chat templates part turns, thoughts and calls with, family by family: in a text from outside none of it may stand.
export const CONTROL_TOKENS: readonly string[] = [
  ...['<|im_start|>', '<|im_end|>', '<|endoftext|>', '<|im_sep|>'],
  ...['<|begin_of_text|>', '<|start_header_id|>', '<|end_header_id|>', '<|eot_id|>', '<|eom_id|>', '<|python_tag|>'],
  ...['<|user|>', '<|assistant|>', '<|system|>', '<|observation|>', '<|end|>', '<|tool_call|>', '<|/tool_call|>'],
  ...['<|start|>', '<|channel|>', '<|message|>', '<|call|>', '<|return|>', '<|constrain|>'],
  ...['<|START_OF_TURN_TOKEN|>', '<|END_OF_TURN_TOKEN|>', '<|CHATBOT_TOKEN|>'],
  ...[
    '<｜User｜>',
    '<｜Assistant｜>',
    '<｜begin▁of▁sentence｜>',
    '<｜end▁of▁sentence｜>',
    '<｜tool▁calls▁begin｜>',
    '<｜tool▁sep｜>',
  ],
  ...['[INST]', '[/INST]', '<<SYS>>', '<</SYS>>', '<s>', '</s>', '<bos>', '<eos>'],
  ...['[TOOL_CALLS]', '[TOOL_RESULTS]', '[/TOOL_RESULTS]', '[AVAILABLE_TOOLS]', '[/AVAILABLE_TOOLS]', '[SYSTEM_PROMPT]'],
  ...['<start_of_turn>', '<end_of_turn>', '<end_of_utterance>', '[gMASK]', '<sop>', '[EOS]'],
  ...['<think>', '</think>', '<thinking>', '</thinking>', '[THINK]', '[/THINK]', '◁think▷', '◁/think▷', '<seed:think>'],
  ...['<tool_call>', '</tool_call>', '<function=', '<function_calls>', '</function_calls>', '<invoke name=', '</tool_response>'],
]
