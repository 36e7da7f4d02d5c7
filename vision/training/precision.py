"""The precision in which the networks are trained."""

import torch


def fast(device: str = "cpu") -> torch.autocast:
    """Compute in bfloat16 where the device can: on a GPU, and on a CPU with AVX-512.

    Another CPU imitates it: a step of the reader then takes 3.9 s instead of 0.8 s.
    """
    able = device != "cpu" or torch.ops.mkldnn._is_mkldnn_bf16_supported()
    return torch.autocast(device, torch.bfloat16, enabled=able)
