"""The kernels of b6c96 in Python: milliseconds for a batch, one by one and as a CUDA graph. Needs torch and a GPU."""

import torch, time, torch.nn.functional as F

d = "cuda"
C = 96
P = 50
PC = 48
VC = 48
torch.backends.cudnn.benchmark = False


def cl(t):
    return t.to(memory_format=torch.channels_last)


def W(o, i, k):
    return cl(torch.randn(o, i, k, k, device=d, dtype=torch.bfloat16) * 0.05)


def B(o):
    return torch.zeros(o, device=d, dtype=torch.bfloat16)


stem = (W(C, P, 3), B(C))
blocks = [
    (
        (W(C, C, 3), B(C)),
        (W(C, C, 3), B(C)),
        (torch.randn(C, 2 * C, device=d) * 0.01, torch.zeros(C, device=d)) if i % 2 == 1 else None,
    )
    for i in range(6)
]
ph = (W(PC, C, 1), B(PC))
po = (W(37, PC, 1), B(37))
vs = (W(VC, C, 1), B(VC))
vh = (torch.randn(64, 2 * VC, device=d), torch.zeros(64, device=d))
vo = (torch.randn(3, 64, device=d), torch.zeros(3, device=d))


def join(x):
    return torch.cat([x[..., -1:], x, x[..., :1]], 3)


def rect_(x):
    return x.view(torch.int16).clamp_min_(0).view(torch.bfloat16)


def pool(x):
    x = x.float()
    return torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)


def conv(x, w, pad):
    return F.conv2d(x, w[0], w[1], 1, pad)


def heads(t, wanted, relu1):
    p = conv(relu1(t, ph), po, 0)
    v = pool(relu1(t, vs))
    h = F.linear(v, *vh).relu()
    v = F.linear(h, *vo)
    return torch.cat([p.take(wanted).float(), v.flatten()])


def base(x, wanted, fused):
    if fused:
        r3 = lambda x, w: torch.cudnn_convolution_relu(join(x), w[0], w[1], [1, 1], [1, 0], [1, 1], 1)
        ra = lambda x, w, z: torch.cudnn_convolution_add_relu(join(x), w[0], z, 1.0, w[1], [1, 1], [1, 0], [1, 1], 1)
        r1 = lambda x, w: torch.cudnn_convolution_relu(x, w[0], w[1], [1, 1], [0, 0], [1, 1], 1)
    else:
        r3 = lambda x, w: rect_(conv(join(x), w, (1, 0)))
        ra = lambda x, w, z: rect_(conv(join(x), w, (1, 0)).add_(z))
        r1 = lambda x, w: rect_(conv(x, w, 0))
    t = r3(x, stem)
    for a, b, s in blocks:
        if s is None:
            i = r3(t, a)
        else:
            i = conv(join(t), a, (1, 0))
            sh = F.linear(pool(F.relu(i)), *s).bfloat16()
            i = rect_(i + sh[:, :, None, None])
        t = ra(i, b, t)
    return heads(t, wanted, r1)


def timeit(f, n=40):
    for _ in range(5):
        f()
    torch.cuda.synchronize()
    t = time.perf_counter()
    for _ in range(n):
        f()
    h = (time.perf_counter() - t) / n
    torch.cuda.synchronize()
    return (time.perf_counter() - t) / n * 1e3, h * 1e3


with torch.no_grad():
    for b in (64, 256, 512, 1024, 2048):
        x = cl(torch.rand(b, P, 9, 9, device=d).bfloat16())
        w = torch.randint(0, b * 37 * 81, (b * 40,), device=d)
        row = []
        ref = None
        for fused in (False, True):
            try:
                y = base(x, w, fused)
                if ref is None:
                    ref = y
                err = (y - ref).abs().max().item() / ref.abs().max().item()
                t, h = timeit(lambda: base(x, w, fused))
                g = torch.cuda.CUDAGraph()
                s = torch.cuda.Stream()
                s.wait_stream(torch.cuda.current_stream())
                with torch.cuda.stream(s):
                    for _ in range(3):
                        base(x, w, fused)
                torch.cuda.current_stream().wait_stream(s)
                with torch.cuda.graph(g):
                    base(x, w, fused)
                tg, _ = timeit(g.replay)
                row.append(
                    f"{'fused' if fused else 'plain'} eager {t:.2f} ms (host {h:.2f}) graph {tg:.3f} ms = {b / tg:.0f} k/s err {err:.4f}"
                )
            except Exception as e:
                row.append(f"fused={fused}: {e}"[:200])
        print(b, " | ".join(row), flush=True)
    # kinds of kernels at 1024
    from torch.profiler import profile, ProfilerActivity

    b = 1024
    x = cl(torch.rand(b, P, 9, 9, device=d).bfloat16())
    w = torch.randint(0, b * 37 * 81, (b * 40,), device=d)
    for fused in (False, True):
        try:
            with profile(activities=[ProfilerActivity.CUDA, ProfilerActivity.CPU]) as p:
                for _ in range(10):
                    base(x, w, fused)
                torch.cuda.synchronize()
            print(p.key_averages().table(sort_by="cuda_time_total", row_limit=14, max_name_column_width=60)[:5000])
        except Exception as e:
            print(e)
